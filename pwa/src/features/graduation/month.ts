const month = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Returns "March 2026", in UTC like the text that the server writes into the document. */
export const formatMonth = (value: string): string => month.format(new Date(value));

/** Returns "1 year", "8 months" or "12 days": the largest unit of the time since then, at least a day. */
export function formatSince(value: string, now = new Date()): string {
  const then = new Date(value);
  const months =
    (now.getUTCFullYear() - then.getUTCFullYear()) * 12 +
    now.getUTCMonth() -
    then.getUTCMonth() -
    (now.getUTCDate() < then.getUTCDate() ? 1 : 0);
  const count = (n: number, unit: string) => `${n} ${unit}${n === 1 ? '' : 's'}`;
  if (months >= 12) return count(Math.floor(months / 12), 'year');
  if (months >= 1) return count(months, 'month');
  return count(Math.max(1, Math.floor((now.getTime() - then.getTime()) / (24 * 3_600_000))), 'day');
}
