import { expect, it } from 'vitest';
import { currentVisit, visitText } from './visit.ts';

const until = '2026-11-30T11:00:00Z';
const visit = { city: 'Lisbon', state: 'Portugal', until };
const end = Date.parse(until);

it('a visit is shown until its end', () => {
  expect(currentVisit(visit, end - 1)).toBe(visit);
  expect(currentVisit(visit, end)).toBeNull();
  expect(visitText({ visit }, end - 1)).toBe('Visiting Lisbon this week');
  expect(visitText({ visit }, end)).toBe('');
});

it('a profile without a visit, or from before visits existed, shows none', () => {
  expect([currentVisit(null), currentVisit(undefined)]).toEqual([null, null]);
  expect(visitText({ visit: null })).toBe('');
});
