import type { LikeAllowance } from '@/api/types.ts';
import { formatTime } from '@/ui';

/** Returns the text for a member without super likes left today, with the time of the next one. */
export function noSuperLikesLeft(
  allowance: LikeAllowance | null,
  now = new Date(),
): { title: string; description: string } {
  const title = 'No super likes left today';
  if (!allowance?.superLikesResetAt) return { title, description: 'A like says it just as warmly.' };
  const then = new Date(allowance.superLikesResetAt);
  const tomorrow = then.getDate() !== now.getDate();
  return {
    title,
    description: `The next one comes ${tomorrow ? 'tomorrow' : 'today'} at ${formatTime(then)}. A like says it just as warmly.`,
  };
}
