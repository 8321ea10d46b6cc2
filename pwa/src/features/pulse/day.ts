/** Dates of the Love Pulse, as YYYY-MM-DD in the member's time zone, and what follows from them. */
import { pulseQuestions } from '@/api/defaults.gen.ts';
import type { PulseQuestion, PulseStreak } from '@/api/types.ts';

const DAY_MS = 86_400_000;

/** Returns the date on this device. */
export function dateOf(now: Date): string {
  const two = (n: number) => String(n).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

const timeOf = (date: string) => Date.parse(`${date}T00:00:00Z`);

export const addDays = (date: string, days: number): string =>
  new Date(timeOf(date) + days * DAY_MS).toISOString().slice(0, 10);

/** Returns the question of a date: the day of the year modulo 7. */
export function questionOf(date: string): PulseQuestion {
  const dayOfYear = (timeOf(date) - timeOf(`${date.slice(0, 4)}-01-01`)) / DAY_MS + 1;
  return pulseQuestions[dayOfYear % pulseQuestions.length] as PulseQuestion;
}

/** Returns the seven dates up to today. */
export const weekTo = (today: string): string[] => Array.from({ length: 7 }, (_, i) => addDays(today, i - 6));

/** Returns all dates of a month, 1 to 12. */
export function datesOf(year: number, month: number): string[] {
  const first = `${year}-${String(month).padStart(2, '0')}-01`;
  const count = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return Array.from({ length: count }, (_, i) => addDays(first, i));
}

/** Returns 0 for a Sunday to 6 for a Saturday. */
export const weekdayOf = (date: string): number => new Date(timeOf(date)).getUTCDay();

const format = (options: Intl.DateTimeFormatOptions) => {
  const formatter = new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
  return (date: string): string => formatter.format(timeOf(date));
};

/** Returns "Wednesday, November 25, 2026". */
export const formatLong = format({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' });
/** Returns "November 25". */
export const formatMonthDay = format({ month: 'long', day: 'numeric' });
/** Returns "Wed". */
export const formatWeekday = format({ weekday: 'short' });
/** Returns "November". */
export const formatMonth = format({ month: 'long' });

/** Counts the dates in a row up to today, or yesterday while today is missing. */
function runTo(dates: ReadonlySet<string>, today: string): string[] {
  const run: string[] = [];
  let date = dates.has(today) ? today : addDays(today, -1);
  for (; dates.has(date); date = addDays(date, -1)) run.push(date);
  return run;
}

/**
 * Returns the streak from what the server has counted and the dates known on this device, of which the server may not
 * have the newest yet.
 */
export function streakOn(today: string, counted: PulseStreak | null, dates: ReadonlySet<string>): number {
  const run = runTo(dates, today);
  if (!counted) return run.length;
  if (counted.today === today) return counted.streak + (dates.has(today) && !counted.writtenToday ? 1 : 0);
  // Counted on an earlier day: the run continues what the server counted if it reaches back to that day.
  const since = run.filter((date) => date > counted.today).length;
  const reaches = since === run.length ? run.length > 0 && run.at(-1) === addDays(counted.today, 1) : true;
  const isCountedDayWritten = counted.writtenToday || dates.has(counted.today);
  if (!isCountedDayWritten || (run.length > 0 && !reaches)) return run.length;
  if (run.length === 0 && addDays(counted.today, 1) < today) return 0;
  return since + counted.streak + (counted.writtenToday ? 0 : 1);
}

/** Returns "1 year and 2 months", "3 months" or "12 days" between two times. */
export function lengthOf(from: string, now: Date): string {
  const start = new Date(from);
  let months = (now.getFullYear() - start.getFullYear()) * 12 + now.getMonth() - start.getMonth();
  if (now.getDate() < start.getDate()) months -= 1;
  const count = (n: number, word: string) => `${n} ${word}${n === 1 ? '' : 's'}`;
  if (months < 1) return count(Math.max(1, Math.round((now.getTime() - start.getTime()) / DAY_MS)), 'day');
  const years = Math.floor(months / 12);
  const parts = [years > 0 && count(years, 'year'), months % 12 > 0 && count(months % 12, 'month')];
  return parts.filter(Boolean).join(' and ');
}
