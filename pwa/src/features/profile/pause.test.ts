import { expect, it } from 'vitest';
import { isPaused } from '@/session/isPaused.ts';
import { daysLater, endDays, formatPauseEnd, startOfDay } from './pause.ts';

/** A Monday. */
const now = new Date(2026, 10, 23, 15, 0);
const at = (...time: [number, number, number, number?, number?]) => new Date(...time).toISOString();

it('a profile is paused until the end of the pause, or without an end', () => {
  const states = [null, at(2026, 10, 23, 15, 1), at(2026, 10, 23, 15, 0), at(2026, 10, 22)].map(
    (pausedUntil) => isPaused({ paused: true, pausedUntil }, now.getTime()),
  );
  expect(states).toEqual([true, true, false, false]);
  expect(isPaused({ paused: false, pausedUntil: null }, now.getTime())).toBe(false);
});

it('a pause of some days ends at the same time of day, one until a day at its beginning', () => {
  expect(daysLater(3, now)).toBe(at(2026, 10, 26, 15, 0));
  expect(startOfDay('2026-12-04')).toBe(at(2026, 11, 4));
});

it('a pause ends between tomorrow and a year from now', () => {
  expect(endDays(now)).toEqual({ first: '2026-11-24', last: '2027-11-23' });
  expect(endDays(new Date(2026, 11, 31))).toEqual({ first: '2027-01-01', last: '2027-12-31' });
});

it.each([
  [at(2026, 10, 23, 21, 5), 'today at 9:05 PM'],
  [at(2026, 10, 24, 15, 0), 'tomorrow at 3:00 PM'],
  [at(2026, 10, 24), 'tomorrow'],
  [at(2026, 10, 27), 'Friday'],
  [daysLater(6, new Date(2026, 10, 23, 0, 0, 30)), 'Sunday at 12:00 AM'],
  [at(2026, 10, 29, 9, 0), 'Sunday at 9:00 AM'],
  [at(2026, 10, 30, 15, 0), 'November 30 at 3:00 PM'],
  [at(2026, 11, 4), 'December 4'],
  [at(2027, 0, 4), 'January 4, 2027'],
])('names the end %s', (until, text) => {
  expect(formatPauseEnd(until, now)).toBe(text);
});
