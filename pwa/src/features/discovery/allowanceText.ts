import type { LikeAllowance } from '@/api/types.ts';
import { formatTime } from '@/base/format.ts';

/** Returns the text for a member without super likes left today, with the time of the next one. */
export function noSuperLikesLeft(
  allowance: LikeAllowance | null,
  now = new Date(),
): { title: string; description: string } {
  const title = "You're out of super likes";
  if (!allowance?.superLikesResetAt) return { title, description: 'A like works too.' };
  const then = new Date(allowance.superLikesResetAt);
  const tomorrow = then.getDate() !== now.getDate();
  return {
    title,
    description: `Your next one arrives ${tomorrow ? 'tomorrow' : 'today'} at ${formatTime(then)}. A like works too.`,
  };
}
