import { expect, it } from 'vitest';

const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!**/*.test.*'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

const styles = import.meta.glob<string>('../**/*.css', { query: '?raw', import: 'default', eager: true });

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

/** Properties and values of the left or right side, and physical utilities in `@apply`. */
const physicalStyle =
  /^\s*(?:(?:margin|padding|border|inset|scroll-(?:margin|padding))-(?:left|right)\b|(?:left|right)\s*:|border-(?:top|bottom)-(?:left|right)-radius|(?:text-align|float|clear)\s*:\s*(?:left|right)\b)/;

it('styles name the start and the end of a line, but for the insets of the screen', () => {
  const lines = Object.entries(styles).flatMap(([path, source]) =>
    source
      .split('\n')
      .filter((line) => physicalStyle.test(line) || (line.includes('@apply') && physical.test(line)))
      // The inset of a side belongs to the padding of that side.
      .filter((line) => !/^\s*padding-(left|right):.*safe-area-inset-\1\b/.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(Object.keys(styles).length).toBeGreaterThan(5);
  expect(lines).toEqual([]);
});

/** Positions, keys and transforms from left to right. */
const physicalCode = /\bscrollLeft\b|translateX\(|\bclientX\b|'ArrowLeft'|\bArrowLeft:/;

/** Code that is the same in every language, with the reason. */
const physicalCodeOnPurpose = [
  // A picture is moved where the finger or the arrow points.
  '../features/profile/Cropper.tsx',
  '../features/profile/useReorder.ts',
  // A like is a swipe to the right.
  '../features/discovery/DecisionButtons.tsx',
  '../features/discovery/deckKeys.ts',
  '../features/discovery/useSwipe.ts',
  // Time runs from left to right in recordings and charts, whose elements have dir="ltr".
  '../features/admin/FigureChart.tsx',
  '../media/TimeLine.tsx',
  '../media/seeking.ts',
  // Its caller translates the key.
  '../features/pulse/yearKeys.ts',
];

it('code that compares positions from left to right asks for the direction of the line', () => {
  const found = Object.entries(sources)
    .filter(([, source]) => physicalCode.test(source) && !/\bline(?:Sign|Key)\b/.test(source))
    .map(([path]) => path);
  expect(found.sort()).toEqual([...physicalCodeOnPurpose].sort());
});
