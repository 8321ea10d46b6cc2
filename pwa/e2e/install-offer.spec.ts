import type { BrowserContext, Page } from '@playwright/test';
import { findSeriousViolations } from './support/axe.ts';
import { join, match, newPhone, openConversation, sendMessage, ticks } from './support/phones.ts';
import { expect, test } from './support/test.ts';

const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

/** Makes each page fire `beforeinstallprompt` after loading; `window.install` records the outcome. */
async function fireInstallPrompt(phone: BrowserContext): Promise<void> {
  await phone.addInitScript(() => {
    const outcome = { shown: false, promptCount: 0 };
    Object.assign(globalThis, { install: outcome });
    addEventListener('load', () => {
      const prompt = async () => {
        outcome.promptCount += 1;
        dispatchEvent(new Event('appinstalled'));
        return { outcome: 'accepted' };
      };
      const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt });
      outcome.shown = dispatchEvent(event);
    });
  });
}

/** The offer appears after the first touch of a page. */
const touch = (page: Page) => page.getByRole('heading', { level: 1 }).click();

test('the browser’s install offer appears after a match, disappears with one tap, and remains in the settings', async ({
  phoneA,
  phoneB,
  server,
}) => {
  await fireInstallPrompt(phoneA);
  const ann = await join(phoneA, server, 'Ann Install');
  const ben = await join(phoneB, server, 'Ben Install');
  const page = await phoneA.newPage();
  const offer = page.getByRole('complementary', { name: 'Install Heartward' });
  const outcome = () => page.evaluate(() => (globalThis as never as { install: object }).install);

  await page.goto('/matches');
  await expect(page.getByText('People who liked you back!')).toBeVisible();
  await expect.poll(outcome).toEqual({ shown: false, promptCount: 0 });
  await touch(page);
  await expect(offer).toBeHidden();

  await match(phoneA, ann, phoneB, ben);
  await page.goto('/matches');
  await touch(page);
  await expect(offer).toBeVisible();
  expect(await findSeriousViolations(page)).toEqual([]);
  await page.goto('/messages');
  await touch(page);
  await offer.getByRole('button', { name: 'Do not offer this again' }).click();
  await expect(offer).toBeHidden();
  await page.reload();
  await expect(page.getByRole('link', { name: /^Ben/ })).toBeVisible();
  await touch(page);
  await expect(offer).toBeHidden();

  await page.goto('/settings');
  await page.getByRole('button', { name: 'Install Heartward' }).click();
  await expect(page.getByRole('heading', { name: 'On your home screen' })).toBeHidden();
  expect(await outcome()).toEqual({ shown: false, promptCount: 1 });
});

test('on an iPhone, three pictures show how to install', async ({ browser, phoneB, server }) => {
  const phone = await newPhone(browser, server.url, { userAgent: iPhone });
  const ann = await join(phone, server, 'Ann iPhone');
  const ben = await join(phoneB, server, 'Ben iPhone');
  await match(phone, ann, phoneB, ben);
  const page = await openConversation(phone, ben);
  await sendMessage(page, 'hello');
  await expect(ticks(page, 'sent')).toHaveCount(1);
  await page.goto('/messages');
  await touch(page);
  await page.getByRole('button', { name: 'Show me how' }).click();
  const sheet = page.getByRole('dialog', { name: 'Heartward on your home screen' });
  await expect(sheet.getByRole('listitem')).toHaveText([
    /^1\. Tap Share/,
    /^2\. Choose “Add to Home Screen”/,
    /^3\. Open Heartward/,
  ]);
  expect(await findSeriousViolations(page)).toEqual([]);
  await sheet.getByRole('button', { name: 'Got it' }).click();
  await expect(page.getByRole('button', { name: 'Show me how' })).toBeHidden();
  await page.goto('/settings');
  await expect(page.getByRole('listitem').filter({ hasText: 'Tap Share' })).toBeVisible();
  await phone.close();
});
