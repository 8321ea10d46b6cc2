/** Days as date fields give them, year-month-day; empty without one. */
export type DayRange = { first: string; last: string };

/**
 * Returns the times of a range of days in the time zone of the device: from the beginning of the first day until before
 * the end of the last one.
 */
export function timesOf({ first, last }: DayRange): { from?: string; until?: string } {
  const from = startOfDay(first, 0);
  const until = startOfDay(last, 1);
  return { ...(from && { from }), ...(until && { until }) };
}

/** Returns the beginning of a day, or of one some days later; undefined for text that is no day. */
function startOfDay(day: string, later: number): string | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return undefined;
  // The parts in local time: a day of a clock change has 23 or 25 hours.
  return new Date(year, month - 1, date + later).toISOString();
}
