import { formatEndDay, formatTime, isoDay } from '@/base/format.ts';
import { isPaused } from '@/session/isPaused.ts';
import { useMember } from '@/session/session.ts';
import { useValueUntil } from '@/ui';

/** Whether the signed-in member is paused; changes at the end of the pause. */
export function useIsPaused(): boolean {
  const me = useMember();
  return useValueUntil(me.pausedUntil, () => isPaused(me));
}

/** Returns the same time of day some days later, in the device's time zone. */
export function daysLater(days: number, now = new Date()): string {
  const end = new Date(now);
  end.setDate(end.getDate() + days);
  return end.toISOString();
}

/** Returns the first instant of a day such as "2026-12-04", in the device's time zone. */
export const startOfDay = (day: string) => new Date(`${day}T00:00`).toISOString();

/** Returns the first and the last day on which a pause can end: tomorrow, and a year from now. */
export function endDays(now = new Date()): { first: string; last: string } {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  return { first: isoDay(new Date(year, month, day + 1)), last: isoDay(new Date(year + 1, month, day)) };
}

/** Returns "today at 3:00 PM", "Friday", "December 4 at 3:00 PM" or "January 4, 2027"; the start of a day has no time. */
export function formatPauseEnd(until: string, now = new Date()): string {
  const end = new Date(until);
  // A day that was chosen as the end begins at exactly midnight; a pause of some days ends at a time of day.
  const isStartOfDay = startOfDay(isoDay(end)) === end.toISOString();
  return isStartOfDay ? formatEndDay(end, now) : `${formatEndDay(end, now)} at ${formatTime(end)}`;
}
