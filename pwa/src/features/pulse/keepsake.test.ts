import { expect, it } from 'vitest';
import type { Together } from '@/api/types.ts';
import { daysSince } from './day.ts';
import { keepsakeContent } from './keepsake.ts';

const together = {
  partner: { firstName: 'Ben' },
  matchedAt: '2026-01-01T20:00:00Z',
  graduatedAt: '2026-03-31T20:00:00Z',
  legacyMessage: ' Slow\nmornings. ',
} as Together;
const now = new Date('2026-04-01T08:00:00Z');

it('counts calendar days, also over a change of the clocks', () => {
  expect(daysSince('2026-03-31T23:00:00', new Date('2026-04-01T01:00:00'))).toBe(1);
  expect(daysSince('2026-03-28T12:00:00', new Date('2026-03-30T01:00:00'))).toBe(2);
  expect(daysSince('2026-04-01T00:30:00', new Date('2026-04-01T23:30:00'))).toBe(0);
});

it('says the names, the days and the words of the couple', () => {
  expect(keepsakeContent(together, 'Ann', now)).toEqual({
    names: 'Ann & Ben',
    days: ['90 days since we met here', '1 day since we graduated'],
    words: 'Slow mornings.',
  });
});

it('has no zero on the day itself', () => {
  const { days } = keepsakeContent({ ...together, graduatedAt: now.toISOString() }, 'Ann', now);
  expect(days[1]).toBe('We graduated today');
});

it('ends long words at a word', () => {
  const legacyMessage = 'lovely '.repeat(100);
  const { words } = keepsakeContent({ ...together, legacyMessage }, 'Ann', now);
  expect(words).toMatch(/lovely …$/);
  expect(words.length).toBeLessThan(170);
});
