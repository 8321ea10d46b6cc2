import { describe, expect, it } from 'vitest';
import { clampView, cropSize, initialView, outputSize, pan, partOf, zoomTo } from './crop.ts';

const wide = { width: 3000, height: 1000 };
const tall = { width: 1000, height: 3000 };
const portrait = 4 / 5;

describe('the crop', () => {
  it('is the largest of its ratio for wide and tall pictures', () => {
    expect(cropSize(wide, portrait, 1)).toEqual({ width: 800, height: 1000 });
    expect(cropSize(tall, portrait, 1)).toEqual({ width: 1000, height: 1250 });
    expect(cropSize(tall, 3, 2)).toEqual({ width: 500, height: 500 / 3 });
  });

  it('stays inside the picture', () => {
    expect(clampView(wide, portrait, { x: 0, y: 5000, zoom: 1 })).toEqual({ x: 400, y: 500, zoom: 1 });
    expect(clampView(wide, portrait, { x: 9000, y: 500, zoom: 9 })).toEqual({ x: 2900, y: 500, zoom: 4 });
    expect(clampView(wide, portrait, { x: 1500, y: 500, zoom: 0.1 }).zoom).toBe(1);
  });

  it('is a part of the picture in shares of its sides', () => {
    expect(partOf(wide, portrait, { x: 400, y: 500, zoom: 1 })).toEqual({
      x: 0,
      y: 0,
      width: 800 / 3000,
      height: 1,
    });
    expect(partOf(tall, 3, { x: 500, y: 1500, zoom: 2 })).toEqual({
      x: 0.25,
      y: (1500 - 250 / 3) / 3000,
      width: 0.5,
      height: 500 / 9000,
    });
  });

  it('moves by shares of its size, up to the edge', () => {
    const start = initialView(wide);
    expect(pan(wide, portrait, start, { x: 0.5, y: 0.5 })).toEqual({ x: 1900, y: 500, zoom: 1 });
    expect(pan(wide, portrait, start, { x: -9, y: 0 }).x).toBe(400);
  });

  it('zooms around the point under the finger', () => {
    const start = initialView(wide);
    // The right edge of the frame shows x = 1900, before and after.
    const closer = zoomTo(wide, portrait, start, 2, { x: 0.5, y: 0 });
    expect(closer.x + 0.5 * cropSize(wide, portrait, 2).width).toBe(1900);
    expect(zoomTo(wide, portrait, closer, 1)).toEqual({ ...start, x: closer.x });
  });
});

describe('the cropped picture', () => {
  it('has a limited longest side and is never enlarged', () => {
    expect(outputSize({ width: 8000, height: 10000 }, portrait, 1, 2000)).toEqual({
      width: 1600,
      height: 2000,
    });
    expect(outputSize({ width: 400, height: 500 }, portrait, 2, 2000)).toEqual({ width: 200, height: 250 });
  });
});
