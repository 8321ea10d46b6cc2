import { readDeviceStorage } from './support/device.ts';
import {
  bubbles,
  join,
  match,
  openConversation,
  sendMessage,
  ticks,
  waitForServiceWorker,
  withWorker,
} from './support/phones.ts';
import { expect, test } from './support/test.ts';

test.use(withWorker);

const secret = 'meet me at the old lighthouse';

test('signing out leaves no message, profile or file on the device', async ({ phoneA, phoneB, server }) => {
  const ann = await join(phoneA, server, 'Ann Quiet');
  const ben = await join(phoneB, server, 'Ben Quiet');
  await match(phoneA, ann, phoneB, ben);
  const page = await openConversation(phoneA, ben);
  await sendMessage(page, secret);
  await expect(ticks(page, 'sent')).toBeVisible();
  await waitForServiceWorker(page);
  await page.goto('/discover');
  await page.goto('/matches');
  await expect(page.getByText('Ben').first()).toBeVisible();
  const before = await page.evaluate(readDeviceStorage);
  expect(before).toContain(secret);
  expect(before).toContain(ben.id);

  await page.goto('/profile');
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Sign Out' }).last().click();
  await expect(page.getByRole('link', { name: /Start Your Love Story Free/ }).first()).toBeVisible();

  const after = await page.evaluate(readDeviceStorage);
  for (const trace of [secret, ann.id, ben.id, ann.email, 'Ben Quiet', '/files/']) {
    expect(after).not.toContain(trace);
  }
  expect((await phoneA.request.get('/api/auth/user')).status()).toBe(401);
});

test('signing out signs out the other tab too, and Matches then leads to the sign-in screen', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Twotabs');
  const ben = await join(phoneB, server, 'Ben Twotabs');
  await match(phoneA, ann, phoneB, ben);
  const other = await openConversation(phoneA, ben);
  await sendMessage(other, secret);
  await expect.poll(() => bubbles(other)).toEqual([secret]);
  const page = await phoneA.newPage();
  await page.goto('/profile');
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Sign Out' }).last().click();
  await expect(other.getByText(secret)).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'The door is open.' })).toBeVisible();
  await page.goto('/matches');
  await expect(page).toHaveURL(/\/(login|signup)/);
  await expect(page.getByText('Ben')).toHaveCount(0);
});
