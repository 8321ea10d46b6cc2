import { describe, expect, it } from 'vitest';
import { cutSize, inside, kept, panned, wholeView, zoomed } from './crop.ts';

const wide = { width: 3000, height: 1000 };
const tall = { width: 1000, height: 3000 };
const portrait = 4 / 5;

describe('what is kept', () => {
  it('is as much as the shape allows, whichever side is too long', () => {
    expect(kept(wide, portrait, 1)).toEqual({ width: 800, height: 1000 });
    expect(kept(tall, portrait, 1)).toEqual({ width: 1000, height: 1250 });
    expect(kept(tall, 3, 2)).toEqual({ width: 500, height: 500 / 3 });
  });

  it('never shows beyond the edge', () => {
    expect(inside(wide, portrait, { x: 0, y: 5000, zoom: 1 })).toEqual({ x: 400, y: 500, zoom: 1 });
    expect(inside(wide, portrait, { x: 9000, y: 500, zoom: 9 })).toEqual({ x: 2900, y: 500, zoom: 4 });
    expect(inside(wide, portrait, { x: 1500, y: 500, zoom: 0.1 }).zoom).toBe(1);
  });

  it('moves by shares of itself until the edge', () => {
    const start = wholeView(wide);
    expect(panned(wide, portrait, start, { x: 0.5, y: 0.5 })).toEqual({ x: 1900, y: 500, zoom: 1 });
    expect(panned(wide, portrait, start, { x: -9, y: 0 }).x).toBe(400);
  });

  it('comes closer around the spot under the finger', () => {
    const start = wholeView(wide);
    // The right edge of the frame shows x = 1900, before and after.
    const closer = zoomed(wide, portrait, start, 2, { x: 0.5, y: 0 });
    expect(closer.x + 0.5 * kept(wide, portrait, 2).width).toBe(1900);
    expect(zoomed(wide, portrait, closer, 1)).toEqual({ ...start, x: closer.x });
  });
});

describe('the cut picture', () => {
  it('has at most so many pixels a side and is never enlarged', () => {
    expect(cutSize({ width: 8000, height: 10000 }, portrait, 1, 2000)).toEqual({ width: 1600, height: 2000 });
    expect(cutSize({ width: 400, height: 500 }, portrait, 2, 2000)).toEqual({ width: 200, height: 250 });
  });
});
