import decodeQR from 'qr/decode.js';
import { expect, it } from 'vitest';
import { qrCodeOf, qrFileOf } from './qr.ts';

const link = 'https://heartward.example/?ref=ABCD2345';
const PIXELS = 4;

/** Draws the path as a picture, so that the test reads what a phone would see. */
function draw({ size, path }: ReturnType<typeof qrCodeOf>) {
  const width = size * PIXELS;
  const data = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let row = Number(y) * PIXELS; row < (Number(y) + 1) * PIXELS; row++) {
      for (let column = Number(x) * PIXELS; column < (Number(x) + Number(length)) * PIXELS; column++) {
        data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
      }
    }
  }
  return { width, height: width, data };
}

it('is read as the link', () => {
  expect(decodeQR(draw(qrCodeOf(link)))).toBe(link);
});

it('is the same as a file', () => {
  const { size, path } = qrCodeOf(link);
  const file = new DOMParser().parseFromString(qrFileOf(link), 'image/svg+xml');
  expect(file.documentElement.getAttribute('viewBox')).toBe(`0 0 ${size} ${size}`);
  expect(file.querySelectorAll('path')[1]?.getAttribute('d')).toBe(path);
});
