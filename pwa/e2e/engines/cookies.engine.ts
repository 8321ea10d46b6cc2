/** What a browser that blocks cookies shows to a visitor. Firefox then blocks the data of sites in every form, WebKitGTK does not. */
import { expect } from '@playwright/test';
import type { Engine } from './engine.ts';
import { startFirefox } from './firefox.ts';
import { heading, Tab } from './tab.ts';
import { test } from './test.ts';
import { startWebKit } from './webkit.ts';

const launchers: Record<string, () => Promise<Engine>> = {
  firefox: () => startFirefox('America/New_York', { 'network.cookie.cookieBehavior': 2 }),
  webkit: () => startWebKit('America/New_York', { blocksCookies: true }),
};

test('a browser that blocks cookies shows the public pages, and says why nobody can sign in', async ({
  server,
}, { project }) => {
  const engine = await launchers[project.name]?.();
  if (!engine) throw new Error(`no engine is named ${project.name}`);
  try {
    const tab = new Tab(engine, server.url);
    await tab.open('/');
    await tab.waitFor(heading(/^Slow down/));
    expect(await engine.call(storesCookies), 'the browser stores cookies').toBe(false);
    if (project.name === 'firefox')
      expect(await engine.call(blockedApis)).toEqual([
        'localStorage',
        'channels',
        'caches',
        'databases',
        'locks',
      ]);
    for (const screen of ['/login', '/signup', '/matches', '/admin/login']) {
      await tab.open(screen);
      await tab.waitForText("This browser blocks cookies, so it can't keep you signed in.");
    }
    for (const [screen, title] of PUBLIC_SCREENS) {
      await tab.open(screen);
      await tab.waitFor(heading(title));
    }
    const refused = /SecurityError|insecure|rejection|ServiceWorker/i;
    expect(engine.consoleErrors.filter((error) => refused.test(error))).toEqual([]);
  } finally {
    await engine.close();
  }
});

const PUBLIC_SCREENS: [string, string][] = [
  ['/community', 'Community Bulletin Board'],
  ['/legacy-wall', 'Legacy Wall'],
];

/** In the page: whether a cookie can be read after it was set. */
function storesCookies(): boolean {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing where cookies are blocked
  document.cookie = 'probe=1';
  return document.cookie !== '';
}

/** In the page: what of the browser's stores cannot be used. */
async function blockedApis(): Promise<string[]> {
  const uses: [string, () => unknown][] = [
    ['localStorage', () => localStorage.length],
    ['channels', () => new BroadcastChannel('probe')],
    ['caches', () => caches.keys()],
    ['databases', () => indexedDB.databases()],
    ['locks', () => navigator.locks.query()],
  ];
  const blocked: string[] = [];
  for (const [name, use] of uses) {
    try {
      await use();
    } catch {
      blocked.push(name);
    }
  }
  return blocked;
}
