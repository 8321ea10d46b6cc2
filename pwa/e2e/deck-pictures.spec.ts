import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext, Page, Route } from '@playwright/test';
import { focusDeck, top, topCardName, waitForCandidates, waitForNextCard } from './support/deck.ts';
import { decisionsOf, hideAllMembers } from './support/people.ts';
import { join, newPhone, type Person, waitForServiceWorker, withWorker } from './support/phones.ts';
import { addPhoto } from './support/photos.ts';
import type { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';

const portrait = readFileSync(path.join(import.meta.dirname, 'support/portrait.jpg'));
type Candidate = { firstName: string; photos: { url: string; thumbUrl: string }[] };

/** Signs up Dora and adds people with one photo each; returns them in the order of her deck. */
async function makeDeck(
  browser: Browser,
  phone: BrowserContext,
  server: Server,
  ...names: string[]
): Promise<{ me: Person; deck: Candidate[] }> {
  await hideAllMembers(server);
  const me = await join(phone, server, 'Dora Deck');
  let percent = 0;
  for (const name of names) {
    const other = await newPhone(browser, server.url);
    await join(other, server, name);
    await addPhoto(other, portrait);
    const { completeness } = (await (await other.request.get('/api/auth/user')).json()) as {
      completeness: { percent: number };
    };
    percent = completeness.percent;
    await other.close();
  }
  await waitForCandidates(phone, names.length);
  // The photos decide on the order too, and reach the index later than their members.
  await expect
    .poll(async () => {
      const filters = { profileCompleteness: percent };
      const found = await (await phone.request.post('/api/discovery/preview', { data: { filters } })).json();
      return (found as { count: number }).count;
    })
    .toBe(names.length);
  return { me, deck: (await (await phone.request.get('/api/matches/for-you')).json()) as Candidate[] };
}

/** Blocks the requests for full-size photos; returns a function that releases one of them by its address. */
async function blockPhotos(page: Page): Promise<(address: string | undefined) => Promise<void>> {
  const blocked = new Map<string, Route>();
  await page.route('**/files/*/full.webp', (route) => {
    blocked.set(new URL(route.request().url()).pathname, route);
  });
  return async (address = '') => {
    await expect.poll(() => blocked.has(address)).toBe(true);
    await blocked.get(address)?.continue();
  };
}

/** Records each frame in which the top card has no loaded picture; returns a function that reads the records. */
async function recordBlankFrames(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const blank: string[] = [];
    Object.assign(globalThis, { blank });
    const checkFrame = () => {
      const card = document.querySelector('[data-testid="top-card"]');
      const image = card?.querySelector('img');
      const drawn = image?.complete && image.naturalWidth > 0 && getComputedStyle(image).opacity === '1';
      if (card && !drawn) blank.push(card.textContent ?? '');
      requestAnimationFrame(checkFrame);
    };
    requestAnimationFrame(checkFrame);
  });
  return () => page.evaluate(() => (globalThis as unknown as { blank: string[] }).blank);
}

test('no card appears before its photo has loaded', async ({ browser, server }) => {
  // No service worker: its requests cannot be blocked.
  const phone = await newPhone(browser, server.url);
  const { me, deck } = await makeDeck(browser, phone, server, 'Pia', 'Quin', 'Rhea');
  const [first, second, third] = deck;
  const page = await phone.newPage();
  const blank = await recordBlankFrames(page);
  const release = await blockPhotos(page);
  // A picture that is requested early delays the load event until it is released.
  await page.goto('/', { waitUntil: 'commit' });
  const waiting = page.getByRole('status', { name: 'Loading the next photo' });
  await expect(waiting).toBeVisible();
  await focusDeck(page);
  await expect(page.getByRole('button', { name: 'Like', exact: true })).toBeDisabled();
  await page.keyboard.press('ArrowRight');

  await release(first?.photos[0]?.url);
  await expect(top(page)).toContainText(`${first?.firstName},`);
  await expect(waiting).toBeHidden();
  await page.keyboard.press('ArrowRight');
  await expect(waiting, 'the next card is not shown yet').toBeVisible();
  await expect(top(page)).toHaveCount(0);
  await release(third?.photos[0]?.url);
  await release(second?.photos[0]?.url);
  await expect(top(page), 'the order is unchanged').toContainText(`${second?.firstName},`);
  await page.keyboard.press('ArrowLeft');
  await expect(top(page)).toContainText(`${third?.firstName},`);
  expect(await blank()).toEqual([]);
  await expect
    .poll(async () => (await decisionsOf(server, me)).sort()) // likes and passes are sent side by side
    .toEqual([`like ${first?.firstName}`, `pass ${second?.firstName}`]);
  await phone.close();
});

test('exactly the next five photos are prefetched', async ({ browser, server }) => {
  const phone = await newPhone(browser, server.url);
  const names = ['Ada', 'Ben', 'Cid', 'Dov', 'Eli', 'Fay', 'Gil', 'Hal'];
  const { deck } = await makeDeck(browser, phone, server, ...names);
  const page = await phone.newPage();
  const requestedPaths = new Set<string>();
  page.on('request', (request) => requestedPaths.add(new URL(request.url()).pathname));
  await page.goto('/');
  const prefetched = () => deck.map(({ photos }) => requestedPaths.has(photos[0]?.url ?? ''));
  await expect.poll(prefetched).toEqual([true, true, true, true, true, true, false, false]);
  const first = await topCardName(page);
  await focusDeck(page);
  await page.keyboard.press('ArrowLeft');
  await waitForNextCard(page, first);
  await expect.poll(prefetched).toEqual([true, true, true, true, true, true, true, false]);
  await phone.close();
});

test('a photo that fails to load is replaced by its thumbnail, then by its blurred placeholder', async ({
  browser,
  server,
}) => {
  const phone = await newPhone(browser, server.url);
  await makeDeck(browser, phone, server, 'Pia');
  const page = await phone.newPage();
  await page.route('**/files/*/full.webp', (route) => route.abort());
  await page.goto('/');
  await expect(top(page).getByRole('img')).toHaveAttribute('src', /thumb\.webp$/);
  await page.route('**/files/*/thumb.webp', (route) => route.abort());
  await page.reload();
  await expect(top(page)).toContainText('Pia,');
  await expect(top(page).locator('[style*="background-image"]')).toBeVisible();
  await phone.close();
});

test('a deck opened offline shows its stored photos', async ({ browser, ownServer }) => {
  const phone = await newPhone(browser, ownServer.url, withWorker);
  await makeDeck(browser, phone, ownServer, 'Pia', 'Quin', 'Rhea');
  let page = await phone.newPage();
  await page.goto('/');
  await waitForServiceWorker(page);
  // The worker does not control the first visit; the next one is served by it.
  await page.reload();
  const storedPhotos = () =>
    page.evaluate(async () => {
      const names = (await caches.keys()).filter((name) => name.endsWith('full.webp'));
      const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return lists.flat().length;
    });
  await expect.poll(storedPhotos).toBe(3);
  await ownServer.stop();
  await page.close();
  page = await phone.newPage();
  const blank = await recordBlankFrames(page);
  await page.goto('/');
  for (const key of ['ArrowLeft', 'ArrowRight']) {
    const name = await topCardName(page);
    await focusDeck(page);
    await page.keyboard.press(key);
    await waitForNextCard(page, name);
  }
  expect(await blank()).toEqual([]);
  await phone.close();
});
