/** How loud a recording is over its time: measured while it is made, stored with it, drawn before it is fetched. */

const stored = 64;
const loudest = 100;

/** One loudness of 0 to 100 from a moment of sound; the root makes a quiet voice visible beside a loud one. */
export function loudness(samples: Float32Array): number {
  if (samples.length === 0) return 0;
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  return Math.min(loudest, Math.round(Math.sqrt(Math.sqrt(power)) * 1.4 * loudest));
}

/** As many values as asked for: each the average of its share, or the nearest where there are too few. */
export function resample(levels: readonly number[], count: number): number[] {
  if (levels.length === 0) return [];
  return Array.from({ length: count }, (_, place) => {
    const from = Math.floor((place * levels.length) / count);
    const to = Math.max(from + 1, Math.floor(((place + 1) * levels.length) / count));
    const share = levels.slice(from, to);
    return share.reduce((sum, level) => sum + level, 0) / share.length;
  });
}

/** What is stored: 64 whole numbers, the loudest moment at 100, silence at 0. */
export function waveformOf(levels: readonly number[]): number[] {
  const shares = resample(levels, stored);
  const most = Math.max(0, ...shares);
  return shares.map((level) => (most > 0 ? Math.round((level / most) * loudest) : 0));
}
