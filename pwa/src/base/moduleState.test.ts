import { expect, it } from 'vitest';

const sources = import.meta.glob<string>(
  ['../**/*.{ts,tsx}', '!../**/*.test.*', '!../**/testkit.*', '!../**/*.gen.ts'],
  { query: '?raw', import: 'default', eager: true },
);

/**
 * The variables of modules, each with the reason why it is the page's and not the session's. What belongs to a member is
 * a part of the session (pageSession.ts), so that it ends with it and no test sees what another has left.
 */
const ofThePage: Record<string, string> = {
  'base/now.ts timer': 'the time is the same for everybody',
  'base/pageSession.ts current': 'the session itself',
  'media/exclusivePlayback.ts current': 'one player sounds at a time, of whatever screen',
  'media/picture.ts drawsTruly': 'what the browser can do',
  'offline/device/serviceWorker.ts registration': 'the worker serves visitors too',
  'offline/device/wipe.ts shownMember': 'compared when the page returns after the session has ended',
  'offline/store/db.ts memory': 'chosen before a member signs in',
  'session/session.ts ending': 'the work that ends the session',
  'ui/ServedText.tsx served': 'an element of the document, shown before the app is',
};

it('no module has a variable that belongs to a member', () => {
  const found = Object.entries(sources).flatMap(([path, source]) =>
    [...source.matchAll(/^(?:export )?(?:let|var) (\w+)/gm)].map(
      ([, name]) => `${path.replace('../', '')} ${name}`,
    ),
  );
  expect(Object.keys(sources).length).toBeGreaterThan(500);
  expect(found.map((one) => (one.startsWith('./') ? one.replace('./', 'base/') : one)).sort()).toEqual(
    Object.keys(ofThePage).sort(),
  );
});

it('only the root of the signed-in screens, sign-in and sign-out look for the session without being given it', () => {
  const callers = Object.entries(sources)
    .filter(([, source]) => /\b(startSession|stopSession)\(/.test(source))
    .map(([path]) => path.replace('../', '').replace('./', 'base/'));
  expect(callers.sort()).toEqual([
    'base/pageSession.ts',
    'offline/device/keeping.ts',
    'offline/device/wipe.ts',
    'session/SignedIn.tsx',
    'session/session.ts',
  ]);
});
