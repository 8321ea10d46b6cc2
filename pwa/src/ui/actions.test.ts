import { expect, it } from 'vitest';

const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!**/*.test.*', '!./useAction.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** What `useAction` and `useForm` do, written by hand. */
const byHand = [
  {
    what: 'a state of being busy',
    pattern: /\bset(?:Is)?(?:Busy|Saving|Sending|Submitting|Deleting)\(true\)/g,
  },
  { what: 'a toast about a failure', pattern: /toastError\(\s*describe\w*\(/g },
  {
    what: 'a stored text of a failure',
    pattern: /\bset\w*(?:Error|Failure|Problem)\(\s*(?:describe\w*\(|(?:failure|error)\b|\w+\.detail\b)/g,
  },
  { what: 'a state of being busy in an object', pattern: /\{\s*(?:isB|b)usy: true\b/g },
];

/** Not the action of a member, with the reason. */
const exceptions = [
  // The autosave of a text, which has no button and retries by itself.
  '../features/notes/PrivateNote.tsx',
  // The failure of a load, which the screen shows.
  '../features/messaging/newestMessages.ts',
];

const findByHand = (source: string) =>
  byHand.flatMap(({ what, pattern }) =>
    [...source.matchAll(pattern)].map(([code]) => `${what}: ${code.replace(/\s+/g, ' ')}`),
  );

it('actions and forms use useAction and useForm, which ignore a second press and show failures in one way', () => {
  const found = Object.entries(sources).flatMap(([path, source]) =>
    findByHand(source).map((line) => ({ path, line })),
  );
  expect(Object.keys(sources).length).toBeGreaterThan(500);
  expect(found.filter(({ path }) => !exceptions.includes(path))).toEqual([]);
  const needed = exceptions.filter((path) => found.some((one) => one.path === path));
  expect(needed, 'exceptions that are needed').toEqual(exceptions);
});

it.each([
  'setBusy(true)',
  'setIsSaving(true)',
  'setState({ busy: true })',
  'toastError(describeError(failure))',
  "toastError(\n  describeFailure(error, 'Try again.'))",
  'setError(describeError(failure))',
  'setUploadFailure(failure)',
  'setError(failure.detail)',
])('%s is found', (code) => expect(findByHand(code)).toHaveLength(1));
