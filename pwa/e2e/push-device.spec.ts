/** Notifications on one device, in the whole browser: the headless shell supports none. */
import { findSeriousViolations } from './support/axe.ts';
import { wholeBrowser } from './support/browser.ts';
import { join, newPhone, withWorker } from './support/phones.ts';
import { expect, test } from './support/test.ts';

test.use(wholeBrowser);

test('the app asks before the browser does, and this device can hide categories and contents', async ({
  browser,
  server,
}) => {
  const phone = await newPhone(browser, server.url, withWorker);
  await phone.grantPermissions(['notifications'], { origin: server.url });
  // No push service can be reached: the browser's part of subscribing is faked.
  await phone.addInitScript(() => {
    let current: object | null = null;
    const p256dh = 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM';
    const subscription = () => ({
      endpoint: 'https://fcm.googleapis.com/fcm/send/e2e-device',
      options: { applicationServerKey: null },
      toJSON: () => ({
        endpoint: 'https://fcm.googleapis.com/fcm/send/e2e-device',
        keys: { p256dh, auth: 'tBHItJI5svbpez7KI4CCXg' },
      }),
      unsubscribe: async () => {
        current = null;
        return true;
      },
    });
    const manager = {
      getSubscription: async () => current,
      subscribe: async () => {
        current = subscription();
        return current;
      },
    };
    Object.defineProperty(ServiceWorkerRegistration.prototype, 'pushManager', { get: () => manager });
  });
  const ann = await join(phone, server, 'Ann Device');
  const page = await phone.newPage();
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('button', { name: 'Not now' }).click();
  const devices = () =>
    server.query('SELECT categories FROM push_subscriptions WHERE user_id = $1', [ann.id]);
  expect(await devices()).toEqual([]);
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible();
  expect(await findSeriousViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('button', { name: 'Turn off' })).toBeVisible();
  await expect.poll(devices).toEqual([{ categories: null }]);
  await page.getByRole('button', { name: 'Likes', exact: true }).click();
  await expect(page.getByText('For this device.')).toBeVisible();
  const others = ['messages', 'matches', 'community', 'graduation', 'badges', 'pulse', 'digest'];
  await expect.poll(devices).toEqual([{ categories: others }]);
  const content = page.getByRole('switch', { name: 'Show what it says' });
  await expect(content).toBeChecked();
  await content.click();
  await expect(content).not.toBeChecked();
  const shown = () =>
    server.query('SELECT categories, shows_content FROM push_subscriptions WHERE user_id = $1', [ann.id]);
  await expect.poll(shown).toEqual([{ categories: others, shows_content: false }]);
  await page.getByRole('tab', { name: 'Appearance' }).click();
  await page.getByRole('tab', { name: 'Notifications' }).click();
  await expect(content).not.toBeChecked();
  expect(await findSeriousViolations(page)).toEqual([]);
  const settings = await phone.request.get('/api/notifications/settings');
  expect(await settings.json()).toMatchObject({ likes: true });
  await page.getByRole('button', { name: 'Turn off' }).click();
  await expect(page.getByRole('button', { name: 'Turn on' })).toBeVisible();
  await expect.poll(devices).toEqual([]);

  await phone.request.post('/api/auth/logout', { data: {} });
  // An open app would load itself again for another member, at any moment.
  await page.close();
  const ben = await join(phone, server, 'Ben Device');
  const bens = await phone.newPage();
  await bens.goto('/settings');
  await bens.getByRole('button', { name: 'Turn on' }).click();
  await bens.getByRole('button', { name: 'Continue' }).click();
  await expect(
    bens.getByRole('switch', { name: 'Show what it says' }),
    'another member has signed in here before',
  ).not.toBeChecked();
  const shownToBen = () =>
    server.query('SELECT shows_content FROM push_subscriptions WHERE user_id = $1', [ben.id]);
  await expect.poll(shownToBen).toEqual([{ shows_content: false }]);
  await phone.close();
});
