import { expect, test } from 'vitest';
import { timesOf } from './dayRange.ts';

const local = (iso?: string) => (iso ? new Date(iso) : undefined);

test('a range lasts from the beginning of the first day until the end of the last one, in local time', () => {
  const { from, until } = timesOf({ first: '2026-03-28', last: '2026-03-29' });
  expect(local(from)).toEqual(new Date(2026, 2, 28));
  expect(local(until)).toEqual(new Date(2026, 2, 30));
});

test('the end of a year is followed by the next one', () => {
  expect(local(timesOf({ first: '', last: '2026-12-31' }).until)).toEqual(new Date(2027, 0, 1));
});

test('a range without days has no times', () => {
  expect(timesOf({ first: '', last: '' })).toEqual({});
  expect(timesOf({ first: '2026-11', last: 'x' })).toEqual({});
});
