import { beforeEach, expect, it } from 'vitest';
import { nextSpeed, speedNow } from './speed.ts';

beforeEach(() => localStorage.clear());

it('goes from once to twice as fast and back, and is remembered', () => {
  const heard = [speedNow()];
  for (let tap = 0; tap < 4; tap++) {
    nextSpeed();
    heard.push(speedNow());
  }
  expect(heard).toEqual([1, 1.25, 1.5, 2, 1]);
});

it('is the usual one when what was kept makes no sense', () => {
  localStorage.setItem('hw.speed', '99');
  expect(speedNow()).toBe(1);
});
