import { expect, it } from 'vitest';
import { dragOf } from './sheetDrag.ts';

/** A drag with a sample every 10 ms. */
const drag = (...places: number[]) => places.map((y, index) => ({ y, at: index * 10 }));

it.each([
  ['far and slowly', [0, 80, 160, 240, 250, 250, 250, 250, 250, 250, 250, 250, 250], true],
  ['a short distance, quickly', [0, 10, 30, 50], true],
  ['a short distance, and rests', [0, 20, 60, 60, 60, 60, 60, 60, 60, 60, 60, 60], false],
  ['by a twitch', [0, 20], false],
  [
    'far, but is thrown back up',
    [0, 200, 300, 300, 300, 300, 300, 300, 290, 280, 270, 260, 250, 240, 230],
    false,
  ],
  ['up', [0, -100, -300], false],
])('a sheet of 600 pixels that is dragged down %s: closes is %s', (_, places, closes) => {
  expect(dragOf(drag(...places), 600).closes).toBe(closes);
});

it('the distance is that from the first touch, the velocity that of the end', () => {
  expect(dragOf(drag(100, 110, 130))).toMatchObject({ distance: 30, velocity: 1500 });
});
