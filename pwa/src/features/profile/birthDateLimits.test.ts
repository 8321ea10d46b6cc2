import { afterEach, expect, it, vi } from 'vitest';
import { birthDateLimits } from './birthDateLimits.ts';

afterEach(() => vi.unstubAllEnvs());

it.each([
  // In the morning of the 22nd in Auckland it is still the 21st in London.
  ['Pacific/Auckland', '2026-11-21T20:00:00Z', { min: '1926-11-23', max: '2008-11-22' }],
  // In the evening of the 21st in Los Angeles it is the 22nd in London.
  ['America/Los_Angeles', '2026-11-22T04:00:00Z', { min: '1926-11-22', max: '2008-11-21' }],
  // Whoever was born on the 1st of March turns 18 tomorrow.
  ['UTC', '2024-02-29T08:00:00Z', { min: '1924-03-01', max: '2006-02-28' }],
  ['UTC', '2026-02-28T08:00:00Z', { min: '1926-03-01', max: '2008-02-28' }],
  ['UTC', '2026-03-01T08:00:00Z', { min: '1926-03-02', max: '2008-03-01' }],
])('limits birthdays by the calendar of %s', (zone, now, limits) => {
  vi.stubEnv('TZ', zone);
  expect(birthDateLimits(new Date(now))).toEqual(limits);
});
