import { expect, it } from 'vitest';
import { clock, roundedDuration, spoken } from './clock.ts';

it.each([
  [0, '0:00', '0 seconds'],
  [7_400, '0:07', '7 seconds'],
  [59_999, '0:59', '59 seconds'],
  [60_000, '1:00', '1 minute'],
  [61_000, '1:01', '1 minute 1 second'],
  [-5, '0:00', '0 seconds'],
])('%d ms is %s, spoken as %s', (ms, shown, inWords) => {
  expect([clock(ms), spoken(ms)]).toEqual([shown, inWords]);
});

it.each([
  [0, '0:00'],
  [1, '0:01'],
  [499, '0:01'],
  [1499, '0:01'],
  [1500, '0:02'],
  [59_700, '1:00'],
])('a recording of %d ms is %s long', (ms, shown) => {
  expect(clock(roundedDuration(ms))).toBe(shown);
});
