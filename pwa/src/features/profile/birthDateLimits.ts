import { isoDay } from '@/base/format.ts';

/** Returns the limits of the birth date by the calendar of this device: the youngest turn 18 today, the oldest are 99. */
export function birthDateLimits(now = new Date()): { min: string; max: string } {
  return { min: localDate(now, -100, 1), max: localDate(now, -18) };
}

/** Returns the local date `years` years and `days` days from now, as YYYY-MM-DD. */
function localDate(now: Date, years: number, days = 0): string {
  const date = new Date(now.getFullYear() + years, now.getMonth(), now.getDate());
  // The 29th of February becomes the 28th in other years, as on the server.
  if (date.getMonth() !== now.getMonth()) date.setDate(0);
  date.setDate(date.getDate() + days);
  return isoDay(date);
}
