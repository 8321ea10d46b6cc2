import { describe, expect, it } from 'vitest';
import { clock, roundedDuration, spoken } from './clock.ts';
import { formatFor } from './formats.ts';
import { keyTarget } from './seeking.ts';

it.each([
  [0, '0:00', '0 seconds'],
  [7_400, '0:07', '7 seconds'],
  [59_999, '0:59', '59 seconds'],
  [60_000, '1:00', '1 minute'],
  [61_000, '1:01', '1 minute 1 second'],
  [-5, '0:00', '0 seconds'],
])('%d ms is %s, spoken as %s', (ms, shown, inWords) => {
  expect([clock(ms), spoken(ms)]).toEqual([shown, inWords]);
});

it.each([
  [0, '0:00'],
  [1, '0:01'],
  [499, '0:01'],
  [1499, '0:01'],
  [1500, '0:02'],
  [59_700, '1:00'],
])('a recording of %d ms is %s long', (ms, shown) => {
  expect(clock(roundedDuration(ms))).toBe(shown);
});

describe('the format of a recording', () => {
  it('is MP4 if the browser can write it, else WebM, else the browser’s default', () => {
    expect(formatFor('voice', () => true)).toBe('audio/mp4');
    expect(formatFor('voice', (type) => type.includes('webm'))).toBe('audio/webm;codecs=opus');
    expect(formatFor('video', (type) => type.startsWith('video/webm'))).toBe('video/webm;codecs=vp8,opus');
    expect(formatFor('video', () => false)).toBeUndefined();
  });
});

it.each([
  ['ArrowRight', 5_000, 7_000],
  ['ArrowRight', 9_500, 10_000],
  ['ArrowLeft', 1_000, 0],
  ['Home', 5_000, 0],
  ['End', 5_000, 10_000],
  ['Tab', 5_000, undefined],
])('%s at %d ms leads to %s', (key, from, to) => {
  expect(keyTarget(key, from, 10_000)).toBe(to);
});
