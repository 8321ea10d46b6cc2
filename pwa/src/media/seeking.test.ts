import { expect, it } from 'vitest';
import { keyTarget } from './seeking.ts';

it.each([
  ['ArrowRight', 5_000, 7_000],
  ['ArrowRight', 9_500, 10_000],
  ['ArrowLeft', 1_000, 0],
  ['Home', 5_000, 0],
  ['End', 5_000, 10_000],
  ['Tab', 5_000, undefined],
])('%s at %d ms leads to %s', (key, from, to) => {
  expect(keyTarget(key, from, 10_000)).toBe(to);
});
