import { expect, it } from 'vitest';

const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!**/*.test.*'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Utilities of the left or right side, such as `pl-4`, `md:left-2` and `text-right`. */
const physical =
  /(?<![\w-])-?(?:[mp][lr]-[\w[]|(?:left|right)-[\d[a]|(?:text|float|clear)-(?:left|right)\b|border-[lr](?=[-\s"'`])|rounded-[tb]?[lr]-\w)/;

/** Art and gestures, which keep their side in every language: a like is a swipe to the right. */
const physicalOnPurpose = ['./ProfileLook.tsx', '../features/discovery/Stamps.tsx'];

it('classes name the start and the end of a line, so that languages from right to left need no second sheet', () => {
  const lines = Object.entries(sources)
    .filter(([path]) => !physicalOnPurpose.includes(path))
    .flatMap(([path, source]) =>
      source
        .split('\n')
        .filter((line) => physical.test(line) && !line.startsWith('import '))
        .map((line) => `${path}: ${line.trim()}`),
    );
  expect(Object.keys(sources).length).toBeGreaterThan(500);
  expect(lines).toEqual([]);
  const onPurpose = physicalOnPurpose.filter((path) => physical.test(sources[path] ?? ''));
  expect(onPurpose, 'exceptions that are needed').toEqual(physicalOnPurpose);
});
