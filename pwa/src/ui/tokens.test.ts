import { describe, expect, it } from 'vitest';
import { contrast, tokensOf } from './contrast.ts';
import css from './tokens.css?raw';

function themes(): Record<string, Record<string, string>> {
  return Object.fromEntries(
    [...css.matchAll(/\[data-theme=["'](\w+)["']\] \{([^}]+)\}/g)].map(([, name, body]) => [
      name,
      tokensOf(body ?? ''),
    ]),
  );
}

const backgrounds = ['paper', 'surface', 'raised'];
const text = 4.5;
const control = 3;

/** The moods from the darkest to the lightest, so that they differ without their hues. */
const moodRamp = ['inspired', 'peaceful', 'passionate', 'hopeful', 'energetic', 'content', 'grateful'];

/** The pairs of foreground and background colours in the components, and their minimum contrast. */
const pairs: [string, string, number][] = [
  ...backgrounds.flatMap((background): [string, string, number][] => [
    ['ink', background, text],
    ['muted', background, text],
    ['ember-strong', background, text],
    ['plum', background, text],
    ['marigold-ink', background, text],
    ['sky', background, text],
    ['danger', background, text],
    ['ember', background, control],
    ['sage', background, control],
    ['control', background, control],
    ['focus', background, control],
  ]),
  ['on-ember', 'ember', text],
  ['on-ember', 'ember-strong', text],
  ['on-danger', 'danger', text],
  ['ember-strong', 'ember-soft', text],
  ['plum', 'plum-soft', text],
  ['marigold-ink', 'marigold-soft', text],
  ['sage', 'sage-soft', text],
  ['sky', 'sky-soft', text],
  ['danger', 'danger-soft', text],
  ...['ember', 'plum', 'marigold', 'sage', 'sky', 'danger'].map((tone): [string, string, number] => [
    'ink',
    `${tone}-soft`,
    text,
  ]),
  ['muted', 'plum-soft', text],
  ...moodRamp.map((mood): [string, string, number] => [`mood-${mood}`, 'surface', control]),
  ['on-photo', 'photo-shade', text],
];

describe.each(Object.entries(themes()))('the %s theme', (_, tokens) => {
  it.each(pairs)('shows %s on %s', (front, back, minimum) => {
    expect(contrast(tokens[front] ?? '', tokens[back] ?? '')).toBeGreaterThanOrEqual(minimum);
  });

  it('makes each mood lighter than the one before', () => {
    const lightness = moodRamp.map((mood) =>
      Number.parseFloat(tokens[`mood-${mood}`]?.slice('oklch('.length) ?? ''),
    );
    for (const [i, value] of lightness.entries())
      if (i > 0) expect(value - (lightness[i - 1] ?? Number.NaN), moodRamp[i]).toBeGreaterThanOrEqual(4.5);
    const contrasts = moodRamp.map((mood) => contrast(tokens[`mood-${mood}`] ?? '', 'oklch(0% 0 0)'));
    expect(contrasts).toEqual([...contrasts].sort((a, b) => a - b));
  });
});

it('has three themes with the same tokens', () => {
  const [light, ...others] = Object.values(themes()).map((tokens) => Object.keys(tokens).sort());
  expect(others).toEqual([light, light]);
});
