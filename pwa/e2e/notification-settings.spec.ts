import type { BrowserContext, Page } from '@playwright/test';
import { findSeriousViolations } from './support/axe.ts';
import { join } from './support/phones.ts';
import { expect, test } from './support/test.ts';

const toggle = (page: Page, name: string | RegExp) => page.getByRole('switch', { name });

async function settingsOf(phone: BrowserContext): Promise<Record<string, unknown>> {
  return (await phone.request.get('/api/notifications/settings')).json();
}

test('notification settings are stored with the account', async ({ phoneA, server }) => {
  await join(phoneA, server, 'Ann Wishes');
  const page = await phoneA.newPage();
  await page.goto('/settings');
  await expect(toggle(page, /^Messages/)).toBeChecked();
  await toggle(page, /^Likes/).uncheck();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await expect.poll(() => settingsOf(phoneA)).toMatchObject({ likes: false, messages: true });
  await toggle(page, /^Sound/).uncheck();
  await expect(toggle(page, /^Vibration/)).toBeDisabled();
  await expect(toggle(page, /^News about your account/)).toBeChecked();
  await expect(toggle(page, /^News about your account/)).toBeDisabled();
  await toggle(page, /^Weekly digest/).uncheck();
  await expect.poll(() => settingsOf(phoneA)).toMatchObject({ sound: false, digest: false });

  await toggle(page, /^Love Pulse/).check();
  await page.getByLabel('Remind me at').fill('07:45');
  await page.getByLabel('Remind me at').blur();
  await expect
    .poll(() => settingsOf(phoneA))
    .toMatchObject({ pulse: true, pulseTime: '07:45', timeZone: 'America/New_York' });

  await toggle(page, /Quiet hours/).check();
  await expect
    .poll(() => settingsOf(phoneA))
    .toMatchObject({ quietFrom: '22:00', quietTo: '07:00', timeZone: 'America/New_York' });
  await page.getByLabel('Until').fill('06:30');
  await page.getByLabel('Until').blur();
  await page.getByLabel('Time zone').selectOption('Europe/Vienna');
  await expect.poll(() => settingsOf(phoneA)).toMatchObject({ quietTo: '06:30', timeZone: 'Europe/Vienna' });
  await page.getByLabel('From').fill('06:30');
  await page.getByLabel('From').blur();
  await expect(page.getByText('Quiet hours need a start and an end.')).toBeVisible();
  expect(await settingsOf(phoneA)).toMatchObject({ quietFrom: '22:00' });

  await page.getByRole('tab', { name: 'Media' }).click();
  const names = ['voice messages', 'video messages', 'offline', 'quality', 'Voice message', 'Video message'];
  for (const name of names) await expect(toggle(page, new RegExp(name)).first()).toBeVisible();
  await expect(page.getByRole('switch')).toHaveCount(6);
  await toggle(page, /^Autoplay video/).check();
  await expect.poll(() => settingsOf(phoneA)).toMatchObject({ autoplayVideo: true, likes: false });
  await page.reload();
  await expect(toggle(page, /^Autoplay video/)).toBeChecked();
  await page.getByRole('tab', { name: 'Notifications' }).click();
  await expect(toggle(page, /^Likes/)).not.toBeChecked();
  expect(await findSeriousViolations(page)).toEqual([]);
});

test('settings that fail to load say so, and a retry loads them', async ({ phoneA, server }) => {
  await join(phoneA, server, 'Ann Again');
  const page = await phoneA.newPage();
  // Requests fail until the button is pressed, because the app also retries by itself.
  await page.addInitScript(() => {
    const load = globalThis.fetch;
    let pressed = false;
    const press = ({ target }: Event) => {
      pressed ||= target instanceof Element && target.closest('button') !== null;
    };
    addEventListener('click', press, { capture: true });
    globalThis.fetch = (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input, location.href);
      if (pressed || pathname !== '/api/notifications/settings') return load(input, init);
      return Promise.reject(new TypeError('Failed to fetch'));
    };
  });
  await page.goto('/settings?tab=media');
  await expect(page.getByText('Your settings could not be loaded')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('switch')).toHaveCount(6);
});

test('a member who has blocked notifications is shown how to allow them', async ({ phoneA, server }) => {
  await phoneA.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'denied' });
  });
  await join(phoneA, server, 'Ann Blocked');
  const page = await phoneA.newPage();
  await page.goto('/settings');
  await expect(page.getByRole('heading', { name: 'Notifications are blocked' })).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Notifications' }).first()).toBeVisible();
  expect(await findSeriousViolations(page)).toEqual([]);
});
