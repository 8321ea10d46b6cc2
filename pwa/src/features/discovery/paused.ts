import { isPaused } from '@/session/isPaused.ts';
import { currentMember } from '@/session/session.ts';
import { toast } from '@/ui';

/** Returns whether the member is paused and cannot like others, and then says so, with a button that resumes. */
export function refusePaused(): boolean {
  const me = currentMember();
  if (!me || !isPaused(me)) return false;
  void import('./offerResume.tsx').then(
    ({ offerResume }) => offerResume(),
    () => toast({ title: 'Your profile is paused', description: 'Resume it in Settings to like others.' }),
  );
  return true;
}
