import { expect, it } from 'vitest';

const paths = Object.keys(import.meta.glob(['../**/*.{ts,tsx}', '!**/*.test.*', '!**/*.gen.ts']));

/** Every folder may have these: an entry, and what its tests share. */
const inManyFolders = ['index.ts', 'testkit.ts', 'testkit.tsx'];

it('no file name stands for two modules, so that a name in a search or a stack trace is one module', () => {
  const seen = new Map<string, string>();
  const twice: string[] = [];
  for (const path of paths) {
    const name = path.split('/').at(-1) ?? '';
    const other = seen.get(name);
    if (other && !inManyFolders.includes(name)) twice.push(`${other} and ${path}`);
    seen.set(name, path);
  }
  expect(paths.length).toBeGreaterThan(500);
  expect(twice).toEqual([]);
});
