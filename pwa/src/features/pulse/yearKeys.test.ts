import { expect, it } from 'vitest';
import { moveDay } from './yearKeys.ts';

it.each([
  ['ArrowLeft', '2026-03-01', '2026-02-28'],
  ['ArrowRight', '2026-02-28', '2026-03-01'],
  ['ArrowUp', '2026-03-03', '2026-02-24'],
  ['ArrowDown', '2026-03-03', '2026-03-10'],
  ['Home', '2026-03-17', '2026-03-01'],
  ['End', '2026-02-03', '2026-02-28'],
  ['PageUp', '2026-03-31', '2026-02-28'],
  ['PageDown', '2026-01-31', '2026-02-28'],
  ['ArrowLeft', '2026-01-01', '2026-01-01'],
  ['PageUp', '2026-01-15', '2026-01-01'],
  ['ArrowDown', '2026-11-24', '2026-11-25'],
  ['PageDown', '2026-11-01', '2026-11-25'],
])('%s moves from %s to %s', (key, from, to) => {
  expect(moveDay(key, from, '2026-01-01', '2026-11-25')).toBe(to);
});

it('ignores other keys', () => {
  expect(moveDay('a', '2026-03-01', '2026-01-01', '2026-12-31')).toBeNull();
});
