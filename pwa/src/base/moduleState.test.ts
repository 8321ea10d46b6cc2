import { expect, it } from 'vitest';

const sources = import.meta.glob<string>(
  ['../**/*.{ts,tsx}', '!../**/*.test.*', '!../**/testkit.*', '!../**/*.gen.ts'],
  { query: '?raw', import: 'default', eager: true },
);

/**
 * What changes in a module, each with the reason why it is the page's and not the session's. What belongs to a member is
 * a part of the session (pageSession.ts), so that it ends with it and no test sees what another has left.
 */
const ofThePage: Record<string, string> = {
  'app/installPrompt.ts deferredPrompt': 'the browser offers to install the app to whoever uses the page',
  'app/theme.ts currentTheme': 'the theme of the document, also for visitors',
  'base/now.ts timer': 'the time is the same for everybody',
  'base/now.ts watchers': 'the components that show the time',
  'base/pageSession.ts current': 'the session itself',
  'features/media/demoTransport.ts urls': 'the files of the demo screen, which has no member',
  'features/messaging/thread.ts parsedTimes': 'computed from the row that is its key, and gone with it',
  'media/exclusivePlayback.ts current': 'one player sounds at a time, of whatever screen',
  'media/picture.ts drawsTruly': 'what the browser can do',
  'member-menu/openMenu.ts openMenu': 'the dialog that is open on the screen',
  'offline/device/serviceWorker.ts blockers': 'what is drawn on the page and must not be reloaded',
  'offline/device/serviceWorker.ts flushes': 'what the page stores before it is reloaded',
  'offline/device/serviceWorker.ts hasUpdate': 'the version of the page',
  'offline/device/serviceWorker.ts registration': 'the worker serves visitors too',
  'offline/device/serviceWorker.ts unblockedListeners': 'what waits to reload the page',
  'offline/device/wipe.ts shownMember': 'compared when the page returns after the session has ended',
  'offline/outbox/interrupted.ts page':
    'the page is left as a whole; what is unstored is that of each session',
  'offline/store/db.ts memory': 'chosen before a member signs in',
  'offline/store/failure.ts failure': 'whether the browser lets the page store anything',
  'offline/store/pageCache.ts openTransactions':
    'the cache has whole pages, with the transactions of every database',
  'offline/store/pageCache.ts page': 'the same',
  'offline/store/purge.ts registered': 'what the modules of the app know how to remove, not whom',
  'session/passkeys.ts signIns': 'requests for a sign-in, when there is no member yet',
  'session/session.ts ending': 'the work that ends the session',
  'ui/ServedText.tsx served': 'an element of the document, shown before the app is',
  'ui/Toaster.tsx current': 'the toast on the screen, also for visitors',
  'ui/Toaster.tsx lasting': 'the same',
  'ui/Toaster.tsx total': 'the same',
  'ui/cn.ts cache': 'computed from the classes that are its keys',
  'ui/navigation.ts page': 'the history of the page',
  'ui/rootMark.ts counts': 'the attributes of the document',
};

const DECLARATION =
  /^(?:export )?(?:(?:let|var) (\w+)|const (\w+)(?:: ([^=]+?))? = (?:(new (?:Weak)?(?:Map|Set)\b|createStore\b)|[[{]))/gm;

/** Returns the names of what a module declares at its top level and may change: variables, maps, sets, stores, and lists and objects that it writes to. */
function findState(source: string): string[] {
  return [...source.matchAll(DECLARATION)].flatMap(([declaration, variable, constant, type, collection]) => {
    if (variable) return variable;
    if (!constant || type?.startsWith('Readonly')) return [];
    const inside = `(?<![\\w.'"])${constant}(?:\\.\\w+|\\[[^\\]]+\\])`;
    const isWritten = new RegExp(
      `${inside}+ ?(?:=(?![=>])|\\+=|-=|\\?\\?=|\\|\\|=|\\+\\+|--)|${inside}*\\.(?:push|pop|shift|unshift|splice|sort|reverse|fill|add|set|delete|clear)\\(`,
    );
    const rest = source.slice(source.indexOf(declaration) + declaration.length);
    return collection || isWritten.test(rest) ? constant : [];
  });
}

it.each([
  ['let count = 0;', 'count'],
  ['const seen = new Map<string, number>();', 'seen'],
  ['export const open = createStore(null);', 'open'],
  ['const queue: string[] = [];\nqueue.push(id);', 'queue'],
  ['const page = { index: 0 };\npage.index += 1;', 'page'],
  ['const words: ReadonlySet<string> = new Set(WORDS);', ''],
  ['const WORDS = ["a", "b"];\nWORDS.includes(word);', ''],
  ['const names = { a: "b" };\nif (names.a === word) go();', ''],
  ['const seenOf = part(() => new Set<string>());', ''],
])('finds what a module may change: %s', (source, name) => {
  expect(findState(source).join()).toBe(name);
});

it('no module has state that belongs to a member', () => {
  const found = Object.entries(sources).flatMap(([path, source]) =>
    findState(source).map((name) => `${path.replace('../', '')} ${name}`),
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
