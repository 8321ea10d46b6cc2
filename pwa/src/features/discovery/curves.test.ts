import { expect, it } from 'vitest';
import { ease, spring } from './curves.ts';

it('moves from one value to the other, and is done at the end', () => {
  const curve = ease(10, 30, 0.3, [0.25, 0.25, 0.75, 0.75]);
  expect(curve(-0.01)).toEqual({ value: expect.closeTo(10, 3), done: false });
  expect(curve(0.15)).toEqual({ value: expect.closeTo(20, 3), done: false });
  expect(curve(0.3)).toEqual({ value: 30, done: true });
  expect(curve(9)).toEqual({ value: 30, done: true });
});

it('springs back with the velocity of the finger, and comes to rest at 0', () => {
  const curve = spring(100, 600);
  expect(curve(0).value).toBe(100);
  expect((curve(0.001).value - curve(0).value) / 0.001, 'continues at the speed').toBeCloseTo(600, -2);
  const values = Array.from({ length: 60 }, (_, frame) => curve(frame / 60));
  expect(Math.min(...values.map(({ value }) => value)), 'overshoots').toBeLessThan(0);
  expect(values.findIndex(({ done }) => done)).toBeGreaterThan(10);
  expect(values.at(-1)).toEqual({ value: 0, done: true });
});

it('is at rest at once without a distance and a velocity', () => {
  expect(spring(0, 0)(0)).toEqual({ value: 0, done: true });
});
