import { describe, expect, it } from 'vitest';
import { loudness, resample, waveformOf } from './levels.ts';

describe('loudness', () => {
  it('is 0 for silence, 100 for a full wave, and grows in between', () => {
    const loudnessAt = (height: number) => loudness(Float32Array.from([height, -height, height, -height]));
    expect(loudnessAt(0)).toBe(0);
    expect(loudnessAt(1)).toBe(100);
    expect(loudnessAt(0.01)).toBeGreaterThan(5);
    expect(loudnessAt(0.2)).toBeGreaterThan(loudnessAt(0.05));
    expect(loudness(new Float32Array())).toBe(0);
  });
});

describe('resampling', () => {
  it('averages the values of each part', () => {
    expect(resample([0, 10, 20, 30], 2)).toEqual([5, 25]);
  });

  it('repeats values when there are fewer than requested', () => {
    expect(resample([10, 20], 4)).toEqual([10, 10, 20, 20]);
  });

  it('returns nothing for no values', () => {
    expect(resample([], 4)).toEqual([]);
  });
});

describe('the stored waveform', () => {
  it('has 64 integers with the maximum at 100', () => {
    const waveform = waveformOf(Array.from({ length: 1200 }, (_, moment) => moment % 40));
    expect(waveform).toHaveLength(64);
    expect(Math.max(...waveform)).toBe(100);
    expect(waveform.every((level) => Number.isInteger(level) && level >= 0)).toBe(true);
  });

  it('is flat for silence and empty without measurements', () => {
    expect(new Set(waveformOf([0, 0, 0]))).toEqual(new Set([0]));
    expect(waveformOf([])).toEqual([]);
  });
});
