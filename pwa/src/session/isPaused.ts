import type { Me } from '@/api/types.ts';

/** Whether the member is paused. The stored profile may be from before the end of the pause. */
export function isPaused(
  { paused, pausedUntil }: Pick<Me, 'paused' | 'pausedUntil'>,
  now = Date.now(),
): boolean {
  return paused && !(pausedUntil && Date.parse(pausedUntil) <= now);
}
