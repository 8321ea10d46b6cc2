import { beforeEach, expect, it } from 'vitest';
import { currentSpeed, nextSpeed } from './speed.ts';

beforeEach(() => localStorage.clear());

it('cycles from 1× to 2× and is stored', () => {
  const speeds = [currentSpeed()];
  for (let tap = 0; tap < 4; tap++) {
    nextSpeed();
    speeds.push(currentSpeed());
  }
  expect(speeds).toEqual([1, 1.25, 1.5, 2, 1]);
});

it('is 1× when the stored value is invalid', () => {
  localStorage.setItem('hw.speed', '99');
  expect(currentSpeed()).toBe(1);
});
