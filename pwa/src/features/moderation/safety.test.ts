import { expect, it } from 'vitest';
import { storageKeys } from '@/base/storage.ts';
import { describeSpan, storedSafety } from './safety.ts';

it.each([
  [0, '1 minute'],
  [60, '1 minute'],
  [61, '2 minutes'],
  [7200, '120 minutes'],
  [7201, '3 hours'],
  [172_800, '48 hours'],
  [172_801, '3 days'],
])('a span of %i seconds is %s', (seconds, words) => {
  expect(describeSpan(seconds)).toBe(words);
});

it('a stored response that is not JSON counts as none', () => {
  localStorage.setItem(storageKeys.safety, '{');
  expect(storedSafety()).toBeUndefined();
  localStorage.removeItem(storageKeys.safety);
  expect(storedSafety()).toBeUndefined();
});
