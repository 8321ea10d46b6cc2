import { lazy, Suspense } from 'react';
import { useOpenMenu } from './openMenu.ts';

const MemberOptions = lazy(() => import('@/features/moderation/MemberOptions.tsx'));

/** Where the dialogs of a member's menu hang; fetched when the first menu is opened. */
export function MenuHost() {
  if (!useOpenMenu()) return null;
  return (
    <Suspense fallback={null}>
      <MemberOptions />
    </Suspense>
  );
}
