/** Dates of the Love Pulse, as YYYY-MM-DD in the member's time zone, and what follows from them. */

import { pulseQuestions } from '@/api/defaults.gen.ts';
import type { PulseQuestion, PulseStreak } from '@/api/types.ts';
import { calendarDay, DAY_MS, dateFormat } from '@/base/format.ts';

/** Returns the date on this device. */
export function dateOf(now: Date): string {
  const two = (n: number) => String(n).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

const timeOf = (date: string) => Date.parse(`${date}T00:00:00Z`);

export const addDays = (date: string, days: number): string =>
  new Date(timeOf(date) + days * DAY_MS).toISOString().slice(0, 10);

/** Returns the same date of the year before; null for February 29, which that year does not have. */
export const yearBefore = (date: string): string | null =>
  date.endsWith('-02-29') ? null : `${Number(date.slice(0, 4)) - 1}${date.slice(4)}`;

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
  const formatter = dateFormat({ ...options, timeZone: 'UTC' });
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

/** The days in a row after which one may be missed. */
const DAYS_PER_REST = 6;

/** Whether a date before today is a rest day: a single one without an entry, after six days in a row. */
export function isRestDay(dates: ReadonlySet<string>, date: string, today: string): boolean {
  if (dates.has(date) || date >= today) return false;
  const next = addDays(date, 1);
  if (next !== today && !dates.has(next)) return false;
  return Array.from({ length: DAYS_PER_REST }, (_, i) => addDays(date, -1 - i)).every((day) =>
    dates.has(day),
  );
}

/**
 * Returns the streak from what the server has counted and the dates known on this device, of which the server may not
 * have the newest yet. Rest days are not counted.
 */
export function streakOn(today: string, counted: PulseStreak | null, dates: ReadonlySet<string>): number {
  if (counted?.today === today) {
    const own = dates.has(today) && !counted.writtenToday ? 1 : 0;
    // More is known here if entries of earlier days wait too.
    return Math.max(counted.streak + own, streakOn(today, null, dates));
  }
  // The days after the one on which the server has counted; all days if it has not.
  const since = counted && counted.today < today ? counted.today : '';
  let days = 0;
  let date = dates.has(today) ? today : addDays(today, -1);
  for (; date > since; date = addDays(date, -1)) {
    if (dates.has(date)) days += 1;
    else if (!isRestDay(dates, date, today)) return days;
  }
  if (!counted) return days;
  if (counted.writtenToday) return days + counted.streak;
  if (dates.has(since)) return days + counted.streak + 1;
  return isRestDay(dates, since, today) ? days + counted.streak : days;
}

/** Returns the number of days of the calendar, where this device is, from a time until now. */
export function daysSince(from: string, now: Date): number {
  return calendarDay(now) - calendarDay(new Date(from));
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
