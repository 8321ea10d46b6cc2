import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext, Page, Route } from '@playwright/test';
import { decisions, emptyTown } from './support/cast.ts';
import { focusDeck, inHand, nextCard, top, untilOffered } from './support/deck.ts';
import { installed, join, newPhone, type Person, withWorker } from './support/phones.ts';
import type { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';

const portrait = readFileSync(path.join(import.meta.dirname, 'support/portrait.jpg'));
type Offered = { firstName: string; photos: { url: string; thumbUrl: string }[] };

/** Dora, and people with a photo each; they are returned in the order of her deck. */
async function withPhotos(
  browser: Browser,
  phone: BrowserContext,
  server: Server,
  ...names: string[]
): Promise<{ me: Person; deck: Offered[] }> {
  await emptyTown(server);
  const me = await join(phone, server, 'Dora Deck');
  for (const name of names) {
    const other = await newPhone(browser, server.url);
    await join(other, server, name);
    const file = { name: 'portrait.jpg', mimeType: 'image/jpeg', buffer: portrait };
    const answer = await other.request.post('/api/users/me/photos', { multipart: { photo: file } });
    expect(answer.status()).toBe(201);
    await other.close();
  }
  await untilOffered(phone, names.length);
  return { me, deck: (await (await phone.request.get('/api/matches/for-you')).json()) as Offered[] };
}

/** Holds every whole photo back until it is let go by its address. */
async function holdPhotos(page: Page): Promise<(address: string | undefined) => Promise<void>> {
  const held = new Map<string, Route>();
  await page.route('**/files/*/full.webp', (route) => {
    held.set(new URL(route.request().url()).pathname, route);
  });
  return async (address = '') => {
    await expect.poll(() => held.has(address)).toBe(true);
    await held.get(address)?.continue();
  };
}

/** Notes every frame in which a card is in hand without its picture. */
async function watchBlank(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const blank: string[] = [];
    Object.assign(globalThis, { blank });
    const look = () => {
      const card = document.querySelector('[data-testid="top-card"]');
      const image = card?.querySelector('img');
      const drawn = image?.complete && image.naturalWidth > 0 && getComputedStyle(image).opacity === '1';
      if (card && !drawn) blank.push(card.textContent ?? '');
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  return () => page.evaluate(() => (globalThis as unknown as { blank: string[] }).blank);
}

test('no card appears before its picture, however late that comes', async ({ browser, server }) => {
  // The worker's requests cannot be held back.
  const phone = await newPhone(browser, server.url);
  const { me, deck } = await withPhotos(browser, phone, server, 'Pia', 'Quin', 'Rhea');
  const [first, second, third] = deck;
  const page = await phone.newPage();
  const blank = await watchBlank(page);
  const release = await holdPhotos(page);
  await page.goto('/');
  const waiting = page.getByRole('status', { name: 'Loading the next photo' });
  await expect(waiting).toBeVisible();
  await focusDeck(page);
  await expect(page.getByRole('button', { name: 'Like', exact: true })).toBeDisabled();
  await page.keyboard.press('ArrowRight');

  await release(first?.photos[0]?.url);
  await expect(top(page)).toContainText(`${first?.firstName},`);
  await expect(waiting).toBeHidden();
  await page.keyboard.press('ArrowRight');
  await expect(waiting, 'the next one is not there yet').toBeVisible();
  await expect(top(page)).toHaveCount(0);
  await release(third?.photos[0]?.url);
  await release(second?.photos[0]?.url);
  await expect(top(page), 'the order stays').toContainText(`${second?.firstName},`);
  await page.keyboard.press('ArrowLeft');
  await expect(top(page)).toContainText(`${third?.firstName},`);
  expect(await blank()).toEqual([]);
  await expect
    .poll(async () => (await decisions(server, me)).sort()) // likes and passes are sent side by side
    .toEqual([`like ${first?.firstName}`, `pass ${second?.firstName}`]);
  await phone.close();
});

test('the next five photos are fetched ahead, and no more', async ({ browser, server }) => {
  const phone = await newPhone(browser, server.url);
  const names = ['Ada', 'Ben', 'Cid', 'Dov', 'Eli', 'Fay', 'Gil', 'Hal'];
  const { deck } = await withPhotos(browser, phone, server, ...names);
  const page = await phone.newPage();
  const asked = new Set<string>();
  page.on('request', (request) => asked.add(new URL(request.url()).pathname));
  await page.goto('/');
  const wanted = () => deck.map(({ photos }) => asked.has(photos[0]?.url ?? ''));
  await expect.poll(wanted).toEqual([true, true, true, true, true, true, false, false]);
  const first = await inHand(page);
  await focusDeck(page);
  await page.keyboard.press('ArrowLeft');
  await nextCard(page, first);
  await expect.poll(wanted).toEqual([true, true, true, true, true, true, true, false]);
  await phone.close();
});

test('a photo that cannot be had gives way to its small one, then to its shadow', async ({
  browser,
  server,
}) => {
  const phone = await newPhone(browser, server.url);
  await withPhotos(browser, phone, server, 'Pia');
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

test('a deck opened without a network has its pictures', async ({ browser, ownServer }) => {
  const phone = await newPhone(browser, ownServer.url, withWorker);
  await withPhotos(browser, phone, ownServer, 'Pia', 'Quin', 'Rhea');
  let page = await phone.newPage();
  await page.goto('/');
  await installed(page);
  // The first visit is over before the worker is there; the next one goes through it.
  await page.reload();
  const kept = () =>
    page.evaluate(async () => {
      const names = (await caches.keys()).filter((name) => name.endsWith('full.webp'));
      const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return lists.flat().length;
    });
  await expect.poll(kept).toBe(3);
  await ownServer.stop();
  await page.close();
  page = await phone.newPage();
  const blank = await watchBlank(page);
  await page.goto('/');
  for (const key of ['ArrowLeft', 'ArrowRight']) {
    const name = await inHand(page);
    await focusDeck(page);
    await page.keyboard.press(key);
    await nextCard(page, name);
  }
  expect(await blank()).toEqual([]);
  await phone.close();
});
