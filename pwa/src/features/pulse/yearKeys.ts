import { addDays } from './day.ts';

/**
 * Returns the day that a key moves to from a day, from the first to the last: arrows by days and weeks, Home and End
 * within the month, Page Up and Page Down to the same day of another month. Null for any other key.
 */
export function moveDay(key: string, day: string, first: string, last: string): string | null {
  const next = targetOf(key, day);
  if (next === null) return null;
  return next < first ? first : next > last ? last : next;
}

function targetOf(key: string, day: string): string | null {
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -1);
    case 'ArrowRight':
      return addDays(day, 1);
    case 'ArrowUp':
      return addDays(day, -7);
    case 'ArrowDown':
      return addDays(day, 7);
    case 'Home':
      return `${day.slice(0, 8)}01`;
    case 'End':
      return inMonth(day, 0, 31);
    case 'PageUp':
      return inMonth(day, -1, Number(day.slice(8)));
    case 'PageDown':
      return inMonth(day, 1, Number(day.slice(8)));
    default:
      return null;
  }
}

/** Returns the day of the month, or the month's last one if it is shorter. */
function inMonth(day: string, months: number, dayOfMonth: number): string {
  const year = Number(day.slice(0, 4));
  const month = Number(day.slice(5, 7)) - 1 + months;
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(dayOfMonth, length))).toISOString().slice(0, 10);
}
