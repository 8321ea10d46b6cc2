import { Suspense } from 'react';
import { useOpenMenu } from '@/member-menu/openMenu.ts';
import { lazyWithRetry } from '@/ui';

const MemberOptions = lazyWithRetry(async () => {
  const [options, { registerMemberData }] = await Promise.all([
    import('@/features/moderation/MemberOptions.tsx'),
    import('./memberData.ts'),
  ]);
  // Its dialogs end matches and block members.
  registerMemberData();
  return options;
});

/** Shows the dialogs of the open member menu; their chunk is loaded when the first menu is opened. */
export function MenuHost() {
  if (!useOpenMenu()) return null;
  return (
    <Suspense fallback={null}>
      <MemberOptions />
    </Suspense>
  );
}
