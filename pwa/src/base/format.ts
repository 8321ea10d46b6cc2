/** How dates, times, numbers and lists are written, and the days of the calendar. Another language would begin here. */

const locale = 'en-US';

export const DAY_MS = 86_400_000;

export const dateFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locale, options);

const date = dateFormat({ month: 'long', day: 'numeric', year: 'numeric' });
const weekday = dateFormat({ weekday: 'long' });

/** Returns "9:05 PM", in the device's time zone. */
export function formatTime(value: string | Date): string {
  // Without Intl, which is too slow for every message that is drawn.
  const then = new Date(value);
  const hours = then.getHours();
  const minutes = String(then.getMinutes()).padStart(2, '0');
  return `${hours % 12 || 12}:${minutes} ${hours < 12 ? 'AM' : 'PM'}`;
}

/** Returns "November 21, 2026". */
export function formatDate(value: string | Date): string {
  return date.format(new Date(value));
}

/** Returns the number of a time's day in the calendar of this device: a day later is one more. */
export function calendarDay(value: Date): number {
  return Date.UTC(value.getFullYear(), value.getMonth(), value.getDate()) / DAY_MS;
}

/** Returns a day of the calendar of this device as "2026-12-04". */
export function isoDay(date: Date): string {
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

/** Returns "Today", "Yesterday", "Tuesday" within a week, or "November 21, 2026". */
export function formatDay(value: string | Date, now: Date = new Date()): string {
  const then = new Date(value);
  const days = calendarDay(now) - calendarDay(then);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return days > 1 && days < 7 ? weekday.format(then) : formatDate(then);
}

/** Returns "today", "tomorrow", "Friday", "December 4" or "January 4, 2027", for a day to come. */
export function formatEndDay(end: Date, now: Date): string {
  const days = calendarDay(end) - calendarDay(now);
  if (days === 0) return 'today';
  if (days === 1) return 'tomorrow';
  if (days > 1 && days < 7) return weekday.format(end);
  const year = end.getFullYear() === now.getFullYear() ? undefined : 'numeric';
  return dateFormat({ month: 'long', day: 'numeric', year }).format(end);
}

/**
 * Returns "now", "5m ago", "2h ago", "Yesterday", "Tuesday", or the date; within a sentence "just now", "yesterday", "on
 * Tuesday", "on November 21, 2026".
 */
export function formatRelative(
  value: string | Date,
  now: Date = new Date(),
  { inSentence = false }: { inSentence?: boolean } = {},
): string {
  const then = new Date(value);
  const minutes = Math.floor((now.getTime() - then.getTime()) / 60_000);
  if (minutes < 1) return inSentence ? 'just now' : 'now';
  if (minutes < 60) return `${minutes}m ago`;
  const days = calendarDay(now) - calendarDay(then);
  if (days <= 0 || minutes < 6 * 60) return `${Math.floor(minutes / 60)}h ago`;
  if (days === 1) return inSentence ? 'yesterday' : 'Yesterday';
  const day = days < 7 ? weekday.format(then) : formatDate(then);
  return inSentence ? `on ${day}` : day;
}

/** Returns "1 like" or "1,234 likes". */
export const countText = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Returns "1,234". */
export const formatCount = (value: number): string => value.toLocaleString(locale);

/** Returns "1.5", or "2" without a fraction. */
export const formatDecimal = (value: number): string =>
  value.toLocaleString(locale, { maximumFractionDigits: 1 });

/** Returns "12.5%" for 0.125. */
export const formatPercent = (share: number): string =>
  share.toLocaleString(locale, { style: 'percent', maximumFractionDigits: 1 });

/** Returns "a, b, and c". */
export const formatList = (words: string[]): string => new Intl.ListFormat(locale).format(words);
