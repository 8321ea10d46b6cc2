import type { Page } from '@playwright/test';
import { expect, signInAsDemo, test } from './support/demo.ts';

const scrollTop = (page: Page) => page.evaluate(() => Math.round(scrollY));
const scrollDown = async (page: Page, to: number) => {
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollHeight - innerHeight))
    .toBeGreaterThan(to);
  await page.mouse.wheel(0, to);
  await expect.poll(() => scrollTop(page)).toBe(to);
};
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

test('a page opened by a link starts at its top with the focus on its heading; Back restores the scroll position and the focused link', async ({
  phoneA,
}) => {
  await signInAsDemo(phoneA);
  const page = await phoneA.newPage();
  await page.goto('/discover');
  await expect(page.getByRole('heading', { name: /^Found/ })).toBeVisible();
  await page.mouse.move(200, 400);
  await scrollDown(page, 1500);
  // The third card of the list.
  const link = page.locator('main a[href^="/profile/"]').filter({ visible: true }).nth(2);
  const href = await link.getAttribute('href');
  await link.scrollIntoViewIfNeeded();
  const before = await scrollTop(page);
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`${href}$`));
  await expect(heading(page, /./)).toBeFocused();
  expect(await scrollTop(page)).toBe(0);
  await expect(page).not.toHaveTitle(/Discover/);

  await page.goBack();
  await expect(heading(page, 'Discover')).toBeVisible();
  await expect.poll(() => scrollTop(page)).toBe(before);
  await expect(page.locator(`main a[href="${href}"]`).first()).toBeFocused();
  await expect(page.getByText('Discover · Heartward')).toHaveCount(1);

  // The bottom bar opens a page at its top, not at its last scroll position.
  await page.getByRole('navigation').getByRole('link', { name: 'Profile' }).click();
  await expect(heading(page, 'Profile')).toBeFocused();
  expect(await scrollTop(page)).toBe(0);
});

test('Back restores the scroll position of a list that is drawn late', async ({ phoneA }) => {
  await signInAsDemo(phoneA);
  const page = await phoneA.newPage();
  await page.goto('/discover');
  await expect(page.getByRole('heading', { name: /^Found/ })).toBeVisible();
  await page.mouse.move(200, 400);
  await scrollDown(page, 1500);
  await page.getByRole('navigation').getByRole('link', { name: 'Profile' }).click();
  await expect(heading(page, 'Profile')).toBeFocused();
  // The previous page is drawn from an empty database: first a skeleton, then the server's response.
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/discover*', async (route) => {
    await released;
    await route.continue();
  });
  await page.evaluate(async () => {
    const [name] = (await indexedDB.databases())
      .map((one) => one.name ?? '')
      .filter((one) => one.startsWith('heartward-'));
    const db = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open(name ?? '');
      opening.onsuccess = () => resolve(opening.result);
    });
    await new Promise((resolve) => {
      const clearing = db.transaction('feed', 'readwrite').objectStore('feed').clear();
      clearing.onsuccess = resolve;
    });
    db.close();
  });
  await page.reload();
  await expect(heading(page, 'Profile')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('status', { name: 'Loading people' })).toBeVisible();
  release();
  await expect(page.getByRole('heading', { name: /^Found/ })).toBeVisible();
  await expect.poll(() => scrollTop(page)).toBe(1500);
});

test('a conversation on a phone takes the focus and returns it to its row, and the list keeps its scroll position', async ({
  phoneA,
}) => {
  const { conversation } = await signInAsDemo(phoneA);
  const page = await phoneA.newPage();
  await page.setViewportSize({ width: 390, height: 420 });
  await page.goto('/messages');
  const row = page.locator(`a[href="/messages/${conversation}"]`).first();
  await row.focus();
  await expect.poll(() => scrollTop(page)).toBeGreaterThan(0);
  const before = await scrollTop(page);
  await page.keyboard.press('Enter');
  const name = page.getByRole('heading', { level: 2 }).first();
  await expect(name).toBeFocused();
  await expect(page).toHaveTitle(`${await name.getAttribute('aria-label')} · Heartward`);
  const entries = await page.evaluate(() => history.length);
  await page.getByRole('link', { name: 'Back to messages' }).click();
  await expect(row).toBeFocused();
  await expect.poll(() => scrollTop(page)).toBe(before);
  expect(await page.evaluate(() => history.length), 'the arrow adds no history entry').toBe(entries);
  await expect(page).toHaveTitle('Messages · Heartward');
});

test('beside a conversation the list keeps its scroll position, also after another page', async ({
  phoneA,
}) => {
  await signInAsDemo(phoneA);
  const page = await phoneA.newPage();
  await page.setViewportSize({ width: 1280, height: 520 });
  await page.goto('/messages');
  const list = page.locator('[data-scroll-box]');
  await expect(list.getByRole('listitem').first()).toBeVisible();
  await list.hover();
  await page.mouse.wheel(0, 90);
  await expect.poll(() => list.evaluate((box) => box.scrollTop)).toBe(90);
  // A row in view, because a click on another one would scroll to it.
  await list.getByRole('listitem').nth(2).getByRole('link').click();
  await expect(page.getByRole('region', { name: /^Messages with/ })).toBeVisible();
  expect(await list.evaluate((box) => box.scrollTop)).toBe(90);
  await page.getByRole('navigation').getByRole('link', { name: 'Matches' }).click();
  await expect(heading(page, 'Your Matches')).toBeFocused();
  await page.goBack();
  await expect.poll(() => list.evaluate((box) => box.scrollTop)).toBe(90);
});

test('a reload keeps the scroll position, and tabs within a page change neither position nor focus', async ({
  phoneA,
}) => {
  await signInAsDemo(phoneA);
  const page = await phoneA.newPage();
  await page.goto('/profile');
  const tab = page.getByRole('tab', { name: 'Settings' });
  await expect(tab).toBeVisible();
  // Before scrolling, because the focus would scroll the tab into view.
  await tab.focus();
  await page.mouse.move(200, 400);
  await scrollDown(page, 120);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/tab=settings/);
  await expect(tab).toBeFocused();
  expect(await scrollTop(page)).toBe(120);
  await page.reload();
  await expect.poll(() => scrollTop(page)).toBe(120);
  await expect(page.locator(':focus')).toHaveCount(0);
});
