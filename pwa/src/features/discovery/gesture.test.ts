import { describe, expect, test } from 'vitest';
import {
  decisionOf,
  EXIT_SECONDS,
  exitEase,
  exitPoint,
  lockAxis,
  type Point,
  returnFrom,
  sidewaysDistance,
  stamps,
  startsAtEdge,
  tilt,
  velocityOf,
} from './gesture.ts';

const WIDTH = 358;
const still: Point = { x: 0, y: 0 };

describe('the axis', () => {
  test('is undecided for the first 10 px', () => {
    expect(lockAxis({ x: 7, y: 7 }, true)).toBeNull();
    expect(lockAxis({ x: 10, y: 0 }, true)).toBe('sideways');
  });

  test.each([
    [{ x: -20, y: 12 }, 'sideways'],
    [{ x: 14, y: -14 }, 'sideways'],
    [{ x: 4, y: -20 }, 'up'],
    [{ x: 4, y: 20 }, 'scroll'],
  ])('%o locks to %s', (point, axis) => expect(lockAxis(point, true)).toBe(axis));

  test('leaves an upward drag to a page that can still scroll', () => {
    expect(lockAxis({ x: 0, y: -30 }, false)).toBe('scroll');
  });

  test('leaves the outer 24 px to the system', () => {
    expect([23, 24, 366, 367].map((x) => startsAtEdge(x, 390))).toEqual([true, false, false, true]);
  });
});

describe('releasing the card', () => {
  const distance = sidewaysDistance(WIDTH);

  test('decides by distance', () => {
    expect(decisionOf('sideways', { x: distance, y: 0 }, still, WIDTH)).toBe('like');
    expect(decisionOf('sideways', { x: -distance, y: 0 }, still, WIDTH)).toBe('pass');
    expect(decisionOf('up', { x: 0, y: -110 }, still, WIDTH)).toBe('super_like');
    expect(decisionOf('sideways', { x: distance - 1, y: 0 }, still, WIDTH)).toBeNull();
    expect(decisionOf('up', { x: 0, y: -109 }, still, WIDTH)).toBeNull();
  });

  test('decides by speed once it has travelled 24 px', () => {
    expect(decisionOf('sideways', { x: 24, y: 0 }, { x: 400, y: 0 }, WIDTH)).toBe('like');
    expect(decisionOf('sideways', { x: 23, y: 0 }, { x: 2000, y: 0 }, WIDTH)).toBeNull();
    expect(decisionOf('sideways', { x: -40, y: 0 }, { x: -399, y: 0 }, WIDTH)).toBeNull();
    expect(decisionOf('up', { x: 0, y: -40 }, { x: 0, y: -900 }, WIDTH)).toBe('super_like');
  });

  test('is no decision while it moves back', () => {
    expect(decisionOf('sideways', { x: 200, y: 0 }, { x: -300, y: 0 }, WIDTH)).toBeNull();
    expect(decisionOf('sideways', { x: 30, y: 0 }, { x: -900, y: 0 }, WIDTH)).toBeNull();
  });

  test('counts only along the locked axis', () => {
    expect(decisionOf('sideways', { x: 20, y: -400 }, { x: 0, y: -2000 }, WIDTH)).toBeNull();
    expect(decisionOf('up', { x: 400, y: -20 }, { x: 2000, y: 0 }, WIDTH)).toBeNull();
    expect(decisionOf('scroll', { x: 400, y: -400 }, still, WIDTH)).toBeNull();
  });
});

describe('the card', () => {
  test('tilts with the finger, never beyond 12 degrees', () => {
    expect(tilt(0, WIDTH)).toBe(0);
    expect(tilt(60, WIDTH)).toBeCloseTo(-tilt(-60, WIDTH));
    expect(tilt(60, WIDTH)).toBeGreaterThan(2);
    expect(tilt(5000, WIDTH)).toBe(12);
    expect(tilt(-5000, WIDTH)).toBe(-12);
  });

  test('shows one stamp, fully opaque where releasing decides', () => {
    expect(stamps({ x: 10, y: 0 }, WIDTH)).toEqual({ like: 0, pass: 0, super_like: 0 });
    expect(stamps({ x: sidewaysDistance(WIDTH), y: -20 }, WIDTH)).toEqual({
      like: 1,
      pass: 0,
      super_like: 0,
    });
    expect(stamps({ x: -60, y: 0 }, WIDTH).pass).toBeCloseTo((60 - 12) / (sidewaysDistance(WIDTH) - 12));
    expect(stamps({ x: 30, y: -110 }, WIDTH)).toEqual({ like: 0, pass: 0, super_like: 1 });
  });

  test('has the speed of the last 80 ms of the gesture', () => {
    const slowThenFast = [
      { x: 0, y: 0, at: 0 },
      { x: 10, y: 0, at: 400 },
      { x: 30, y: -8, at: 440 },
      { x: 50, y: -16, at: 480 },
    ];
    expect(velocityOf(slowThenFast)).toEqual({ x: 500, y: -200 });
    expect(velocityOf([...slowThenFast, { x: 50, y: -16, at: 900 }])).toEqual(still);
    expect(velocityOf([])).toEqual(still);
  });

  test.each([
    ['like', 1],
    ['pass', -1],
  ] as const)('thrown by a %s ends out of sight on its side', (decision, side) => {
    const end = exitPoint(decision, still, { x: 0, y: 900 }, { x: WIDTH, y: 600 }, { x: 390, y: 844 });
    expect(end.x * side).toBeGreaterThan(390 / 2 + WIDTH / 2);
    expect(end.y).toBe(160);
  });

  test('thrown upwards ends above the view', () => {
    const end = exitPoint('super_like', still, still, { x: WIDTH, y: 600 }, { x: 390, y: 844 });
    expect(end.y).toBeLessThan(-(844 / 2 + 300));
  });

  test('returns from the left of the view, or of the deck on a wide one', () => {
    expect(returnFrom(390)).toBeLessThan(-390 / 2 - WIDTH / 2);
    expect(returnFrom(1440)).toBe(returnFrom(420));
  });

  test('exits at the speed of the finger', () => {
    const [x1, y1] = exitEase(400, 1000);
    // The first control point determines the initial slope: share of the distance per share of the time.
    expect(((y1 / x1) * 400) / EXIT_SECONDS).toBeCloseTo(1000);
    expect(exitEase(400, 0)[1]).toBe(0);
    expect(exitEase(-400, 1000)[1]).toBe(0);
  });
});
