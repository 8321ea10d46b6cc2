import { expect, test } from 'vitest';
import { deviceTimeZone } from '@/base/timeZone.ts';
import { dayOf, fieldsOf, instantOf, sameClock, timeOf, timeWithZone, townOf } from './zonedTime.ts';

const la = 'America/Los_Angeles';

test('converts a day and time in a zone to an instant, and back', () => {
  for (const [date, clock, zone, moment] of [
    ['2026-11-26', '19:00', la, '2026-11-27T03:00:00.000Z'],
    ['2026-07-01', '19:00', la, '2026-07-02T02:00:00.000Z'],
    ['2026-11-26', '00:00', 'Asia/Kolkata', '2026-11-25T18:30:00.000Z'],
    ['2027-01-01', '00:15', 'Pacific/Kiritimati', '2026-12-31T10:15:00.000Z'],
    ['2026-11-26', '12:00', 'UTC', '2026-11-26T12:00:00.000Z'],
  ] as const) {
    expect(instantOf(date, clock, zone)).toBe(moment);
    expect(fieldsOf(moment, zone)).toEqual({ date, clock });
  }
});

test('maps a skipped hour to the next one, and a repeated hour to its first occurrence', () => {
  expect(instantOf('2027-03-14', '02:30', la)).toBe('2027-03-14T10:30:00.000Z'); // 3:30 AM
  expect(timeOf('2027-03-14T10:30:00.000Z', la)).toBe('3:30 AM');
  expect(instantOf('2026-11-01', '01:30', la)).toBe('2026-11-01T08:30:00.000Z'); // before the change
  expect(instantOf('2026-11-01', '03:00', la)).toBe('2026-11-01T11:00:00.000Z');
});

test('returns null for an invalid day or time', () => {
  for (const [date, clock] of [
    ['', '19:00'],
    ['2026-11-26', ''],
    ['2026-13-40', '19:00'],
    ['2026-11-26', '25:00'],
  ] as const)
    expect(instantOf(date, clock, la)).toBeNull();
});

test('formats instants in their zone', () => {
  const at = '2026-11-27T03:00:00.000Z';
  expect(dayOf(at, la)).toBe('Thursday, November 26, 2026');
  expect(timeWithZone(at, la)).toBe('7:00 PM PST');
  expect(timeOf(at, 'Mars/Olympus'), 'an unknown zone').toBe(timeWithZone(at, deviceTimeZone()));
  expect(townOf(la)).toBe('Los Angeles');
  expect(sameClock(at, la, 'America/Tijuana')).toBe(true);
  expect(sameClock(at, la, 'America/Denver')).toBe(false);
});
