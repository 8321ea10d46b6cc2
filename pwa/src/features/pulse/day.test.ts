import { describe, expect, it } from 'vitest';
import type { PulseStreak } from '@/api/types.ts';
import { addDays, datesOf, isRestDay, lengthOf, questionOf, streakOn, weekTo, yearBefore } from './day.ts';
import streaks from './testdata/streaks.json';

it('has the question of the day of the year modulo 7', () => {
  expect(questionOf('2026-01-07')).toBe('What brought you joy today?');
  expect(questionOf('2026-01-01')).toBe('How did you show love to yourself today?');
  expect(questionOf('2026-12-31')).toBe(questionOf('2026-01-01'));
  expect(questionOf('2028-12-31')).toBe(questionOf('2028-01-02'));
});

it('counts dates through months, leap days and changes of summer time', () => {
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
  expect(addDays('2026-03-29', 1)).toBe('2026-03-30');
  expect(weekTo('2026-11-01')).toEqual([
    '2026-10-26',
    '2026-10-27',
    '2026-10-28',
    '2026-10-29',
    '2026-10-30',
    '2026-10-31',
    '2026-11-01',
  ]);
  expect(datesOf(2028, 2)).toHaveLength(29);
});

const today = '2026-11-25';
const counted = (streak: number, day: string, writtenToday: boolean): PulseStreak => ({
  streak,
  entries: 100,
  today: day,
  writtenToday,
});
const datesBack = (from: string, count: number) =>
  new Set(Array.from({ length: count }, (_, i) => addDays(from, -i)));

it.each([
  ['nothing is known', null, new Set<string>(), 0],
  ['the device alone counts', null, datesBack(today, 3), 3],
  ['today is missing', null, datesBack(addDays(today, -1), 3), 3],
  ['the server has counted today', counted(80, today, true), datesBack(today, 50), 80],
  ['today waits on the device', counted(79, today, false), datesBack(today, 51), 80],
  ['yesterday waits on the device', counted(0, today, false), datesBack(addDays(today, -1), 5), 5],
  ['today and yesterday wait on the device', counted(0, today, false), datesBack(today, 5), 5],
  ['the server counts a date lost over the date line', counted(7, today, true), new Set([today]), 7],
  ['yesterday was counted, today waits', counted(80, addDays(today, -1), true), datesBack(today, 51), 81],
  [
    'yesterday was counted, today is missing',
    counted(80, addDays(today, -1), true),
    datesBack(addDays(today, -1), 50),
    80,
  ],
  ['both days wait', counted(79, addDays(today, -1), false), datesBack(today, 51), 81],
  ['a day was missed', counted(80, addDays(today, -2), true), datesBack(addDays(today, -2), 5), 0],
  [
    'a day was missed before today',
    counted(80, addDays(today, -2), true),
    new Set([today, ...datesBack(addDays(today, -2), 5)]),
    1,
  ],
  [
    'the server has counted on a later date, in another zone',
    counted(80, addDays(today, 1), false),
    datesBack(today, 3),
    3,
  ],
  ['three days offline', counted(80, addDays(today, -3), true), datesBack(today, 53), 83],
])('knows the streak when %s', (_, server, dates, streak) => {
  expect(streakOn(today, server, dates)).toBe(streak);
});

const datesOfCase = (days: string) =>
  new Set([...days].flatMap((day, i) => (day === 'x' ? [addDays(today, i - days.length + 1)] : [])));

describe.each(streaks.cases)('of the days $days', ({ days, streak }) => {
  const dates = datesOfCase(days);

  it('counts what the server counts', () => {
    expect(streakOn(today, null, dates)).toBe(streak);
  });

  it('counts the same from what the server has counted on any day before', () => {
    for (let ago = 1; ago < days.length; ago += 1) {
      const day = addDays(today, -ago);
      const before = new Set([...dates].filter((date) => date <= day));
      for (const known of [before, new Set([...before].filter((date) => date < day))]) {
        const server = counted(streakOn(day, null, known), day, known.has(day));
        expect(streakOn(today, server, dates), `${ago} days ago`).toBe(streak);
      }
    }
  });

  it('shows the rest days', () => {
    const shown = [...days].map((day, i) => {
      const date = addDays(today, i - days.length + 1);
      return isRestDay(dates, date, today) ? 'r' : day === 'x' ? 'x' : '.';
    });
    expect(shown.join('')).toBe(days);
  });
});

it('looks back on the same date of the year before, if there was one', () => {
  expect(yearBefore('2026-11-25')).toBe('2025-11-25');
  expect(yearBefore('2028-02-29')).toBeNull();
  expect(yearBefore('2029-02-28')).toBe('2028-02-28');
  expect(yearBefore('2029-03-01')).toBe('2028-03-01');
});

it('names how long two are together', () => {
  const now = new Date(2026, 10, 25, 12);
  expect(lengthOf(new Date(2026, 10, 24, 12).toISOString(), now)).toBe('1 day');
  expect(lengthOf(new Date(2026, 10, 1, 12).toISOString(), now)).toBe('24 days');
  expect(lengthOf(new Date(2026, 7, 25, 12).toISOString(), now)).toBe('3 months');
  expect(lengthOf(new Date(2025, 8, 26, 12).toISOString(), now)).toBe('1 year and 1 month');
  expect(lengthOf(new Date(2024, 10, 25, 12).toISOString(), now)).toBe('2 years');
});
