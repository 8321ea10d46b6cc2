/** What remains on a device after signing out, and after the session has ended on the server. */
import { readFileSync } from 'node:fs';
import { type APIResponse, type BrowserContext, chromium, type Page } from '@playwright/test';
import { wholeBrowser } from './support/browser.ts';
import {
  bubbles,
  composer,
  join,
  match,
  newPhone,
  openConversation,
  type Person,
  sendMessage,
  signInOn,
  ticks,
  waitForServiceWorker,
  withWorker,
} from './support/phones.ts';
import { addPhoto } from './support/photos.ts';
import type { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';

const databases = (page: Page) =>
  page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));

/**
 * Presses the browser's Back button. Playwright's goBack waits for a load event, which a page from the back/forward
 * cache does not fire.
 */
const goBack = (page: Page) => page.evaluate(() => void setTimeout(() => history.back()));

/**
 * The names in localStorage. Asked of the browser, because Playwright's evaluate has hung on a page that was just restored from
 * the back/forward cache.
 */
async function storedKeys(phone: BrowserContext): Promise<string[]> {
  const { origins } = await phone.storageState();
  return origins.flatMap(({ localStorage: items }) => items.map(({ name }) => name));
}

async function signOutByButton(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign Out' }).first().click();
  await expect(page.getByRole('link', { name: /Start Your Love Story Free/ }).first()).toBeVisible();
}

test.describe('after signing out', () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  test('Back shows nothing of the member, in a browser with a back/forward cache', async ({
    server,
    phoneB,
  }) => {
    const browser = await chromium.launch({
      ...wholeBrowser.launchOptions,
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    });
    const phone = await browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 } });
    const ann = await join(phone, server, 'Ann Back');
    const ben = await join(phoneB, server, 'Ben Back');
    await match(phone, ann, phoneB, ben);
    const page = await phone.newPage();
    await page.goto('/discover');
    await page.goto(`/messages/${ben.id}`);
    await sendMessage(page, 'only between us');
    await expect(ticks(page, 'sent')).toBeVisible();
    await page.getByRole('link', { name: 'Matches' }).first().click();
    await expect(page).toHaveURL(/\/matches$/);

    // The history before Matches: the conversation (same document) and the grid (another document).
    expect(await storedKeys(phone)).toContain('hw.member');
    await signOutByButton(page);
    for (const url of [/\/login\?next=%2Fmessages/, /\/login\?next=%2Fdiscover/]) {
      await goBack(page);
      await expect(page).toHaveURL(url);
      await expect(page.getByText('only between us')).toHaveCount(0);
      await expect(page.getByText('Ben')).toHaveCount(0);
      expect(await storedKeys(phone)).not.toContain('hw.member');
    }
    await browser.close();
  });

  test('Back to a cached page shows nothing after another tab has signed out', async ({ server }) => {
    const browser = await chromium.launch({
      ...wholeBrowser.launchOptions,
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    });
    const phone = await browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 } });
    await join(phone, server, 'Cara Cached');
    const page = await phone.newPage();
    await page.goto('/profile');
    await expect(page.getByText('Cara Cached').first()).toBeVisible();
    await page.evaluate(() => {
      document.documentElement.dataset.before = 'yes';
    });
    await page.goto('/docs');
    const tab = await phone.newPage();
    await tab.goto('/profile');
    await signOutByButton(tab);
    await goBack(page);
    await expect(page).toHaveURL(/\/login\?next=%2Fprofile$/);
    await expect(page.getByText('Cara Cached')).toHaveCount(0);
    await browser.close();
  });

  test("no photo remains in the browser's HTTP cache", async ({ phoneA, server }) => {
    await join(phoneA, server, 'Ann Photo');
    await addPhoto(phoneA, readFileSync(`${import.meta.dirname}/support/portrait.jpg`));
    const page = await phoneA.newPage();
    await page.goto('/profile');
    const [url = ''] =
      JSON.stringify(await (await phoneA.request.get('/api/auth/user')).json()).match(
        /\/files\/[^"]+full\.webp/,
      ) ?? [];
    const isCached = () =>
      page.evaluate(
        (address) =>
          fetch(address, { cache: 'only-if-cached', mode: 'same-origin' }).then(
            ({ status }) => status === 200,
            () => false,
          ),
        url,
      );
    await page.evaluate((address) => fetch(address).then((response) => response.blob()), url);
    expect(await isCached(), 'the photo was in the cache').toBe(true);
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Sign Out' }).last().click();
    await expect(page.getByRole('link', { name: /Start Your Love Story Free/ }).first()).toBeVisible();
    expect(await isCached()).toBe(false);
  });
});

test.describe('when a session has ended on the server', () => {
  test.use(withWorker);

  type Waiting = { page: Page; ann: Person; ben: Person; partner: Page };

  /** Signs up Ann, matches her, and lets her write three messages offline. */
  async function writeOffline(
    phoneA: BrowserContext,
    phoneB: BrowserContext,
    server: Server,
  ): Promise<Waiting> {
    const ann = await join(phoneA, server, 'Ann Away');
    const ben = await join(phoneB, server, 'Ben Away');
    await match(phoneA, ann, phoneB, ben);
    const partner = await openConversation(phoneB, ann);
    const page = await openConversation(phoneA, ben);
    await waitForServiceWorker(page);
    await phoneA.setOffline(true);
    for (const text of ['one', 'two', 'three']) await sendMessage(page, text);
    await expect(ticks(page, 'waiting')).toHaveCount(3);
    return { page, ann, ben, partner };
  }

  const notice = (page: Page) => page.getByRole('region', { name: 'Waiting on this device' });

  test('an expired session keeps unsent messages until the member signs in again', async ({
    phoneA,
    phoneB,
    server,
  }) => {
    const { page, ann, ben, partner } = await writeOffline(phoneA, phoneB, server);
    await server.query(
      `INSERT INTO session_activity (session_id, last_seen_at)
        SELECT id, now() - interval '15 days' FROM sessions WHERE user_id = $1
        ON CONFLICT (session_id) DO UPDATE SET last_seen_at = excluded.last_seen_at`,
      [ann.id],
    );
    await phoneA.setOffline(false);
    await expect(notice(page)).toContainText('3 messages are waiting to be sent from this device.');
    await expect(page.locator('body')).not.toContainText(/Ann|Ben|two|@/);
    await page.goto('/');
    await expect(notice(page)).toContainText('3 messages');
    expect(await bubbles(partner)).toEqual([]);
    await page.screenshot({ path: test.info().outputPath('locked.png') });

    await signInOn(phoneA, server, ann);
    await page.goto(`/messages/${ben.id}`);
    await expect.poll(() => bubbles(partner)).toEqual(['one', 'two', 'three']);
    await expect.poll(() => bubbles(page)).toEqual(['one', 'two', 'three']);
    await expect(ticks(page, 'waiting')).toHaveCount(0);
  });

  test("an expired session's data is wiped when another member signs in", async ({
    phoneA,
    phoneB,
    server,
  }) => {
    const { page, ann, partner } = await writeOffline(phoneA, phoneB, server);
    await server.query('DELETE FROM sessions WHERE user_id = $1', [ann.id]);
    await phoneA.setOffline(false);
    await expect(notice(page)).toContainText('Signing in to another account deletes what is waiting.');
    const eve = await join(phoneA, server, 'Eve Other');
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'For You' })).toBeVisible();
    await expect.poll(() => databases(page)).toEqual([`heartward-${eve.id}`]);
    expect(await bubbles(partner)).toEqual([]);
  });

  test('unsent messages can be deleted without signing in', async ({ phoneA, phoneB, server }) => {
    const { page, ann } = await writeOffline(phoneA, phoneB, server);
    await server.query('DELETE FROM sessions WHERE user_id = $1', [ann.id]);
    await phoneA.setOffline(false);
    await notice(page).getByRole('button', { name: 'Delete from this device' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(notice(page)).toHaveCount(0);
    expect(await databases(page)).toEqual([]);
  });

  test("a revoked session's data is wiped", async ({ phoneA, phoneB, server, browser }) => {
    const { page, ann } = await writeOffline(phoneA, phoneB, server);
    const laptop = await newPhone(browser, server.url);
    await signInOn(laptop, server, ann);
    const sessions = (await (await laptop.request.get('/api/auth/sessions')).json()) as {
      id: string;
      current: boolean;
    }[];
    for (const { id, current } of sessions)
      if (!current) expect((await laptop.request.delete(`/api/auth/sessions/${id}`)).status()).toBe(204);
    await phoneA.setOffline(false);
    await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
    await expect.poll(() => databases(page)).toEqual([]);
    await expect(notice(page)).toHaveCount(0);
    await laptop.close();
  });
});

test('a message sent right before a reload is not lost', async ({ phoneA, phoneB, server }) => {
  const ann = await join(phoneA, server, 'Ann Instant');
  const ben = await join(phoneB, server, 'Ben Instant');
  await match(phoneA, ann, phoneB, ben);
  const page = await openConversation(phoneA, ben);
  const partner = await openConversation(phoneB, ann);
  const texts: string[] = [];
  for (let number = 1; number <= 4; number++) {
    const text = `letter ${number}`;
    texts.push(text);
    await composer(page).fill(text);
    const reloaded = page.waitForEvent('load');
    // In one task, so that nothing runs between the key press and the reload.
    await composer(page).evaluate((field) => {
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
      location.reload();
    });
    await reloaded;
    await expect(composer(page)).toBeEditable();
    await expect
      .poll(async () => [...(await bubbles(page)), await composer(page).inputValue()].filter(Boolean))
      .toEqual(texts);
    // A message that was not stored before the reload is in the field again, as the draft.
    if (await composer(page).inputValue()) await composer(page).press('Enter');
    await expect.poll(() => bubbles(partner)).toEqual(texts);
  }
});

test.describe('a copy of a photo on the device', () => {
  test.use(withWorker);

  type Ending = {
    name: string;
    end: (ben: BrowserContext, ann: Person, photo: string) => Promise<APIResponse>;
  };
  const endings: Ending[] = [
    {
      name: 'a block by its owner',
      end: (ben, ann) => ben.request.post('/api/blocks', { data: { userId: ann.id } }),
    },
    { name: 'its deletion', end: (ben, _, photo) => ben.request.delete(`/api/users/me/photos/${photo}`) },
    { name: "the deletion of its owner's account", end: (ben) => ben.request.post('/api/users/me/deletion') },
  ];

  for (const { name, end } of endings)
    test(`is shown offline, and deleted at the next use online after ${name}`, async ({
      phoneA,
      phoneB,
      server,
    }) => {
      const ann = await join(phoneA, server, 'Ann Copy');
      const ben = await join(phoneB, server, 'Ben Copy');
      const photo = await addPhoto(phoneB, readFileSync(`${import.meta.dirname}/support/portrait.jpg`));
      await match(phoneA, ann, phoneB, ben);
      const page = await phoneA.newPage();
      await page.goto('/matches');
      await waitForServiceWorker(page);
      const load = () =>
        page.evaluate(
          (address) =>
            fetch(address).then(
              ({ status }) => status,
              () => 'no network',
            ),
          `/files/${photo}/thumb.webp`,
        );
      const isStored = () =>
        page.evaluate(async (address) => !!(await caches.match(address)), `/files/${photo}/thumb.webp`);
      expect(await load()).toBe(200);
      await expect.poll(isStored).toBe(true);
      await phoneA.setOffline(true);
      expect(await load(), 'the copy is shown offline').toBe(200);

      expect((await end(phoneB, ann, photo)).ok()).toBe(true);
      await phoneA.setOffline(false);
      expect(await load()).toBe(404);
      expect(await isStored()).toBe(false);
      await phoneA.setOffline(true);
      expect(await load()).toBe('no network');
    });
});
