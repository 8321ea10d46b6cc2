import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { wholeBrowser } from './support/browser.ts';
import { composer, join, match, pair, sendMessage, ticks } from './support/phones.ts';
import { expect, test } from './support/test.ts';

const TITLE = "Your device's storage can't be opened";

/** In the page: reading a storage throws, as in a browser that blocks the data of sites. */
function blockStorages(): void {
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, {
      get() {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      },
      configurable: true,
    });
}

/** In the page: no database opens until localStorage has `repaired`. */
function breakDatabases(): void {
  const { open } = IDBFactory.prototype;
  IDBFactory.prototype.open = function (...args) {
    if (localStorage.getItem('repaired')) return open.apply(this, args);
    throw new DOMException('Internal error opening backing store for indexedDB.open.', 'UnknownError');
  };
}

const storageScreen = (page: Page) => page.getByRole('alert').filter({ hasText: TITLE });

test('a member whose browser blocks localStorage uses the app, which keeps everything in memory', async ({
  phoneA,
  phoneB,
  server,
}) => {
  await phoneA.addInitScript(blockStorages);
  const ann = await join(phoneA, server, 'Ann Blocked');
  const ben = await join(phoneB, server, 'Ben Open');
  await match(phoneA, ann, phoneB, ben);
  const page = await phoneA.newPage();
  for (const screen of ['/', '/discover', '/matches', '/profile', '/settings']) {
    await page.goto(screen);
    await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
  }
  await page.goto(`/messages/${ben.id}`);
  await sendMessage(page, 'without a storage');
  await expect(ticks(page, 'sent')).toBeVisible();
  expect((await page.evaluate(() => indexedDB.databases())).map(({ name }) => name)).not.toContain(
    `heartward-${ann.id}`,
  );
});

test('a visitor whose browser blocks localStorage reads the landing page, and opens sign-in and sign-up', async ({
  phoneA,
}) => {
  await phoneA.addInitScript(blockStorages);
  const page = await phoneA.newPage();
  for (const screen of ['/', '/login', '/signup']) {
    await page.goto(screen);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
});

test('every screen says that the database does not open, and the app returns when it does', async ({
  browser,
  server,
}) => {
  const { a, ben } = await pair(browser, server, { workerOn: 'neither' });
  const page = await a.newPage();
  await page.addInitScript(breakDatabases);
  for (const screen of [
    '/',
    '/discover',
    '/matches',
    '/messages',
    `/messages/${ben.id}`,
    '/profile',
    '/settings',
  ]) {
    await page.goto(screen);
    await expect(storageScreen(page)).toBeVisible();
  }
  await page.evaluate(() => localStorage.setItem('repaired', '1'));
  await page.goto(`/messages/${ben.id}`);
  await expect(composer(page)).toBeVisible();
  await page.evaluate(() => localStorage.removeItem('repaired'));
  await page.reload();
  await expect(storageScreen(page)).toBeVisible();
  await page.evaluate(() => localStorage.setItem('repaired', '1'));
  await storageScreen(page).getByRole('button', { name: 'Try again' }).click();
  await expect(composer(page)).toBeVisible();
  await a.close();
});

test('a member clears the data of a site whose database does not open', async ({ browser, server }) => {
  const { a, ben } = await pair(browser, server, { workerOn: 'neither' });
  const page = await a.newPage();
  await page.goto(`/messages/${ben.id}`);
  await sendMessage(page, 'kept by the server');
  await expect(ticks(page, 'sent')).toBeVisible();
  // Only what clearing deletes breaks the database.
  await page.addInitScript(() => {
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = function (...args) {
      if (!localStorage.getItem('hw.discover-seen')) return open.apply(this, args);
      throw new DOMException('Internal error opening backing store for indexedDB.open.', 'UnknownError');
    };
  });
  await page.evaluate(() => localStorage.setItem('hw.discover-seen', '1'));
  await page.reload();
  await storageScreen(page).getByRole('button', { name: "Clear this site's data" }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByRole('main').getByText('kept by the server')).toBeVisible();
  await a.close();
});

test('a browser that blocks all data of sites shows the landing page, and says why nobody can sign in', async ({
  server,
}) => {
  const profile = mkdtempSync(path.join(tmpdir(), 'hw-blocked-'));
  mkdirSync(path.join(profile, 'Default'));
  const blockCookies = { profile: { default_content_setting_values: { cookies: 2 } } };
  writeFileSync(path.join(profile, 'Default', 'Preferences'), JSON.stringify(blockCookies));
  let context: BrowserContext | undefined;
  try {
    context = await chromium.launchPersistentContext(profile, {
      ...wholeBrowser.launchOptions,
      baseURL: server.url,
    });
    const page = await context.newPage();
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(
      await page.evaluate(() => {
        try {
          return localStorage.length;
        } catch (error) {
          return (error as DOMException).name;
        }
      }),
      'the browser blocks storage',
    ).toBe('SecurityError');
    for (const screen of ['/login', '/signup', '/matches']) {
      await page.goto(screen);
      await expect(page.getByRole('alert').filter({ hasText: 'blocks cookies' })).toBeVisible();
    }
  } finally {
    await context?.close();
    rmSync(profile, { recursive: true, force: true });
  }
});
