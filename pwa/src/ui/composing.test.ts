import { expect, it } from 'vitest';

const sources = import.meta.glob<string>('../**/*.tsx', { query: '?raw', import: 'default', eager: true });

it('every component that acts on Enter leaves the Enter of an input method alone', () => {
  const acting = Object.entries(sources).filter(([, source]) => /\bkey [!=]== 'Enter'/.test(source));
  expect(acting.length).toBeGreaterThan(4);
  expect(acting.filter(([, source]) => !source.includes('isComposing(')).map(([path]) => path)).toEqual([]);
});
