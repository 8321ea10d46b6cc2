/** Content that arrives late shifts nothing that is on the screen: it has reserved space, or is added below. */
import type { Locator, Page } from '@playwright/test';
import { join, match } from './support/phones.ts';
import { expect, test } from './support/test.ts';

/** Waits for an element and returns its distance from the top of the page, in pixels. */
async function topOf(target: Locator): Promise<number> {
  await expect(target).toBeVisible();
  return target.evaluate((element) => element.getBoundingClientRect().top + scrollY);
}

/** Fires `beforeinstallprompt` in a page that is already shown. */
const offerInstall = (page: Page) =>
  page.evaluate(() => {
    const prompt = async () => ({ outcome: 'dismissed' });
    dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt }));
  });

/** Delays the responses to an address until the returned function is called. */
async function delayResponses(page: Page, address: string): Promise<() => void> {
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

test('the install offer moves neither matches nor conversations', async ({ phoneA, phoneB, server }) => {
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
    await page.getByRole('heading', { level: 1 }).click();
    await offerInstall(page);
    await expect(page.getByRole('complementary', { name: 'Install Heartward' })).toBeVisible();
    expect(await topOf(row), address).toBe(before);
    await page.close();
  }
});

test('the verification card has its space reserved before its state is known', async ({ phoneA, server }) => {
  await join(phoneA, server, 'Ann Card');
  const page = await phoneA.newPage();
  const release = await delayResponses(page, '**/api/verification');
  await page.goto('/profile');
  const below = page.getByText('Active User');
  const before = await topOf(below);
  await expect(page.getByRole('button', { name: 'Start', exact: true })).toHaveCount(0);
  release();
  await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeVisible();
  expect(await topOf(below)).toBe(before);
});

test('a profile is shown together with its compatibility, which is not inserted later', async ({
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
  const release = await delayResponses(page, '**/api/compatibility/*');
  const profileResponse = page.waitForResponse(`**/api/users/${ben.id}`);
  await page.goto(`/profile/${ben.id}`);
  await profileResponse;
  release();
  await expect(page.getByRole('heading', { name: 'Compatibility' })).toBeVisible();
  await expect(page.getByText('slow mornings')).toBeVisible();
  expect(await page.evaluate(() => (globalThis as never as { seen: object }).seen)).toEqual({
    incomplete: false,
  });
});
