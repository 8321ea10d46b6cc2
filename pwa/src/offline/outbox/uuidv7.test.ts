import { expect, it, vi } from 'vitest';
import { uuidv7 } from './uuidv7.ts';

it('has the time, the version and the variant', () => {
  // Later than the ids of other tests.
  vi.spyOn(Date, 'now').mockReturnValue(0x7192a3b4c5d6);
  expect(uuidv7()).toMatch(/^7192a3b4-c5d6-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

it('grows, also within a millisecond and when the clock is set back', () => {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(0x7192a3b4c5d7);
  const ids = Array.from({ length: 100 }, uuidv7);
  clock.mockReturnValue(0x7192a3b4c000);
  ids.push(uuidv7());
  expect(ids).toEqual([...new Set(ids)].toSorted());
});
