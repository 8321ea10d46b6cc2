/** The loudness of a recording over time: measured while recording, stored with it, drawn before it is fetched. */

const STORED_LEVELS = 64;
const MAX_LEVEL = 100;

/** Returns the loudness of samples from 0 to 100: the fourth root of their power, so that quiet voices are visible. */
export function loudness(samples: Float32Array): number {
  if (samples.length === 0) return 0;
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  return Math.min(MAX_LEVEL, Math.round(Math.sqrt(Math.sqrt(power)) * 1.4 * MAX_LEVEL));
}

/** Returns `count` values: each the average of its part, or the nearest value if there are fewer. */
export function resample(levels: readonly number[], count: number): number[] {
  if (levels.length === 0) return [];
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * levels.length) / count);
    const to = Math.max(from + 1, Math.floor(((index + 1) * levels.length) / count));
    const part = levels.slice(from, to);
    return part.reduce((sum, level) => sum + level, 0) / part.length;
  });
}

/** Returns the stored form: 64 integers scaled to a maximum of 100. */
export function waveformOf(levels: readonly number[]): number[] {
  const resampled = resample(levels, STORED_LEVELS);
  const max = Math.max(0, ...resampled);
  return resampled.map((level) => (max > 0 ? Math.round((level / max) * MAX_LEVEL) : 0));
}
