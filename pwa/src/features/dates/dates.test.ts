import { expect, test } from 'vitest';
import { ApiError } from '@/api/request.ts';
import type { PlannedDate } from '@/api/types.ts';
import { awaitsResponse, describeFailure, isFeedbackDue, isOpen } from './dates.ts';
import { check } from './PlanSheet.tsx';
import { hoursUntilMorningAfter } from './ShareSheet.tsx';

const HOUR = 3_600_000;
const now = Date.parse('2026-11-21T12:00:00Z');
const hoursFromNow = (hours: number) => new Date(now + hours * HOUR).toISOString();

const date = (change: Partial<PlannedDate>) =>
  ({
    status: 'proposed',
    at: hoursFromNow(24),
    user: { id: 'ben' },
    proposedBy: 'ben',
    feedback: null,
    ...change,
  }) as PlannedDate;

test('a proposal awaits the response of the member who did not make it, until the time of the date', () => {
  expect(awaitsResponse(date({}), now)).toBe(true);
  expect(awaitsResponse(date({ proposedBy: 'ann' }), now)).toBe(false);
  expect(awaitsResponse(date({ status: 'accepted' }), now)).toBe(false);
  expect(awaitsResponse(date({ at: hoursFromNow(-1) }), now)).toBe(false);
  expect(isOpen(date({ status: 'accepted' }), now)).toBe(true);
  expect(isOpen(date({ status: 'cancelled' }), now)).toBe(false);
});

test('members are asked whether they met from three hours after an agreed date, and again after "not yet"', () => {
  const isDueAfter = (hours: number, more: Partial<PlannedDate> = {}) =>
    isFeedbackDue(date({ status: 'accepted', at: hoursFromNow(-hours), ...more }), now);
  const notYet = (hours: number) =>
    ({
      met: 'not_yet',
      feltSafe: null,
      note: '',
      answeredAt: hoursFromNow(-hours),
    }) as PlannedDate['feedback'];
  expect([isDueAfter(2.9), isDueAfter(3), isDueAfter(29 * 24), isDueAfter(31 * 24)]).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(isDueAfter(5, { status: 'proposed' })).toBe(false);
  expect(isDueAfter(100, { feedback: notYet(71) })).toBe(false);
  expect(isDueAfter(100, { feedback: notYet(73) })).toBe(true);
  expect(
    isDueAfter(100, { feedback: { met: 'no', feltSafe: null, note: '', answeredAt: hoursFromNow(-90) } }),
  ).toBe(false);
});

test('a link lasts until the morning after the date, however far away the date is', () => {
  const hours = (date: Date, from: Date) => hoursUntilMorningAfter(date.toISOString(), from.getTime());
  const evening = new Date(2026, 10, 28, 19, 30);
  expect(hours(evening, new Date(2026, 10, 22, 10, 0))).toBe(7 * 24);
  expect(hours(evening, new Date(2026, 10, 28, 19, 0)), 'rounded up').toBe(15);
  expect(hours(evening, new Date(2026, 10, 29, 9, 59))).toBe(1);
  expect(hours(evening, new Date(2026, 10, 29, 12, 0)), 'never less than an hour').toBe(1);
});

test('a plan needs a place and a time in the future', () => {
  const values = { place: 'Café', date: '2026-11-22', clock: '19:00', note: '' };
  expect(check(values, hoursFromNow(24), now)).toEqual({});
  expect(Object.keys(check({ ...values, place: ' ', date: '' }, null, now))).toEqual(['place', 'date']);
  expect(check(values, hoursFromNow(-1), now).date).toContain('still to come');
});

test('describeFailure explains a missing connection and passes other messages on', () => {
  expect(describeFailure(new ApiError(0, 'network', 'x'))).toContain('needs a connection');
  expect(describeFailure(new ApiError(409, 'conflict', 'This date was changed meanwhile.'))).toBe(
    'This date was changed meanwhile.',
  );
});
