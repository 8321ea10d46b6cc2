/** Nothing is inserted above what is being read: what comes late has its place, or stands below. */
import type { Locator, Page } from '@playwright/test';
import { join, match } from './support/phones.ts';
import { expect, test } from './support/test.ts';

/** Where an element stands on the page, once it is there. */
async function topOf(target: Locator): Promise<number> {
  await expect(target).toBeVisible();
  return target.evaluate((element) => element.getBoundingClientRect().top + scrollY);
}

/** The browser wants to offer the app while the page is read already. */
const offerInstall = (page: Page) =>
  page.evaluate(() => {
    const prompt = async () => ({ outcome: 'dismissed' });
    dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt }));
  });

/** Holds the responses to an address back. Returns a function that lets them go. */
async function holdBack(page: Page, address: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

test('the offer to install moves neither matches nor conversations', async ({ phoneA, phoneB, server }) => {
  const ann = await join(phoneA, server, 'Ann Shift');
  const ben = await join(phoneB, server, 'Ben Shift');
  await match(phoneA, ann, phoneB, ben);
  for (const [address, role] of [
    ['/matches', 'article'],
    ['/messages', 'link'],
  ] as const) {
    const page = await phoneA.newPage();
    await page.goto(address);
    const row = page.getByRole(role).filter({ hasText: 'Ben' }).first();
    const before = await topOf(row);
    await offerInstall(page);
    await expect(page.getByRole('complementary', { name: 'Install Heartward' })).toBeVisible();
    expect(await topOf(row), address).toBe(before);
    await page.close();
  }
});

test('the card about verification has its place before it is known', async ({ phoneA, server }) => {
  await join(phoneA, server, 'Ann Card');
  const page = await phoneA.newPage();
  const release = await holdBack(page, '**/api/verification');
  await page.goto('/profile');
  const below = page.getByText('Active User');
  const before = await topOf(below);
  await expect(page.getByRole('button', { name: 'Start', exact: true })).toHaveCount(0);
  release();
  await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeVisible();
  expect(await topOf(below)).toBe(before);
});

test('a profile is shown with the compatibility, which is not inserted later', async ({
  phoneA,
  phoneB,
  server,
}) => {
  await join(phoneA, server, 'Ann Fit');
  const ben = await join(phoneB, server, 'Ben Fit');
  const page = await phoneA.newPage();
  await page.addInitScript(() => {
    const seen = { incomplete: false };
    Object.assign(globalThis, { seen });
    new MutationObserver(() => {
      const text = document.body?.textContent ?? '';
      if (text.includes('slow mornings') && !text.includes('Compatibility')) seen.incomplete = true;
    }).observe(document, { childList: true, subtree: true });
  });
  const release = await holdBack(page, '**/api/compatibility/*');
  const asked = page.waitForResponse(`**/api/users/${ben.id}`);
  await page.goto(`/profile/${ben.id}`);
  await asked;
  release();
  await expect(page.getByRole('heading', { name: 'Compatibility' })).toBeVisible();
  await expect(page.getByText('slow mornings')).toBeVisible();
  expect(await page.evaluate(() => (globalThis as never as { seen: object }).seen)).toEqual({
    incomplete: false,
  });
});
