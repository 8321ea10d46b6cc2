/** The first and last birthday that can be chosen, by the calendar of this device: the youngest turn 18 today, the oldest are 99. */
export function birthDays(now = new Date()): { min: string; max: string } {
  return { min: localDate(now, -100, 1), max: localDate(now, -18) };
}

/** YYYY-MM-DD so many years and days from now, by the local calendar. */
function localDate(now: Date, years: number, days = 0): string {
  const date = new Date(now.getFullYear() + years, now.getMonth(), now.getDate() + days);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
