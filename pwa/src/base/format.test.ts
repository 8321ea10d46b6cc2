import { describe, expect, it } from 'vitest';
import { formatDate, formatDay, formatRelative, formatTime } from './format.ts';

const now = new Date(2026, 10, 21, 21, 5);
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

describe('times and dates', () => {
  it('shows 12 hours with two-digit minutes', () => {
    expect(formatTime(now)).toBe('9:05 PM');
    expect(formatTime(new Date(2026, 10, 21, 0, 0))).toBe('12:00 AM');
  });

  it('shows the long month', () => {
    expect(formatDate(now)).toBe('November 21, 2026');
  });
});

it('formatDay names the days of the last week', () => {
  const day = (hours: number) => formatDay(minutesAgo(hours * 60), now);
  expect([0, 21, 22, 45, 46, 6 * 24].map(day)).toEqual([
    'Today',
    'Today',
    'Yesterday',
    'Yesterday',
    'Thursday',
    'Sunday',
  ]);
  expect(day(7 * 24)).toBe('November 14, 2026');
  expect(day(-24), 'a clock that is ahead').toBe('November 22, 2026');
});

describe('formatRelative', () => {
  it.each([
    [0, 'now'],
    [-3, 'now'],
    [5, '5m ago'],
    [59, '59m ago'],
    [60, '1h ago'],
    [20 * 60, '20h ago'],
    [22 * 60, 'Yesterday'],
    [3 * 24 * 60, 'Wednesday'],
    [10 * 24 * 60, 'November 11, 2026'],
  ])('%i minutes before', (minutes, words) => {
    expect(formatRelative(minutesAgo(minutes), now)).toBe(words);
  });

  it.each([
    [0, 'just now'],
    [5, '5m ago'],
    [22 * 60, 'yesterday'],
    [3 * 24 * 60, 'on Wednesday'],
    [10 * 24 * 60, 'on November 11, 2026'],
  ])('%i minutes before, within a sentence', (minutes, words) => {
    expect(formatRelative(minutesAgo(minutes), now, { inSentence: true })).toBe(words);
  });

  it('shows hours, not yesterday, shortly after midnight', () => {
    expect(formatRelative(new Date(2026, 10, 20, 23, 30), new Date(2026, 10, 21, 1, 0))).toBe('1h ago');
  });
});
