/** The contrast of colours in style sheets, for tests. */

type Rgb = [number, number, number];

/** Converts OKLCH to linear sRGB, clipped to the gamut. */
function rgbOf(color: string): Rgb {
  const [, l, c, h] = /oklch\(([\d.]+)% ([\d.]+) ([\d.]+)/.exec(color)?.map(Number) ?? [];
  if (l === undefined || c === undefined || h === undefined) throw new Error(`not a plain oklch: ${color}`);
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const lms = [
    l / 100 + 0.3963377774 * a + 0.2158037573 * b,
    l / 100 - 0.1055613458 * a - 0.0638541728 * b,
    l / 100 - 0.0894841775 * a - 1.291485548 * b,
  ].map((value) => value ** 3) as Rgb;
  const [x, y, z] = lms;
  return [
    4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z,
    -1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z,
    -0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z,
  ].map((value) => Math.min(1, Math.max(0, value))) as Rgb;
}

/** Returns the contrast of two colours in OKLCH by WCAG 2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const luminance = (color: string) => {
    const [r, g, b] = rgbOf(color);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [high, low] = [luminance(one), luminance(other)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** Returns the custom properties in the body of a rule. */
export const tokensOf = (body: string): Record<string, string> =>
  Object.fromEntries([...body.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, key, value]) => [key, value]));
