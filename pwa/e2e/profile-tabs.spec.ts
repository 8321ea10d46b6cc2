import type { Locator, Page } from '@playwright/test';
import { findViolations } from './support/axe.ts';
import { signInAsDemo, test as withDemo } from './support/demo.ts';
import {
  join,
  match,
  newPhone,
  openConversation,
  sendMessage,
  ticks,
  waitForServiceWorker,
  withWorker,
} from './support/phones.ts';
import { expect, test } from './support/test.ts';

const tab = (page: Page, name: string) => page.getByRole('tab', { name });

/** The value of the counter or figure with this label. */
const figure = (page: Page, label: string) =>
  page.locator('dl > div', { has: page.getByText(label, { exact: true }) }).getByRole('definition');

async function referralLink(page: Page): Promise<string> {
  return page.getByRole('textbox', { name: 'Your referral link' }).inputValue();
}

test('keys move between the four tabs, and the address names the open one', async ({ phoneA, server }) => {
  await join(phoneA, server, 'Tara Tabs');
  const page = await phoneA.newPage();
  await page.goto('/profile');
  await expect(tab(page, 'Overview')).toHaveAttribute('aria-selected', 'true');
  for (const label of ['Matches', 'Messages', 'Referrals']) await expect(figure(page, label)).toHaveText('0');
  await expect(page.getByText('Active User')).toBeVisible();
  await expect(page.getByText('Premium', { exact: true })).toHaveCount(0);

  await tab(page, 'Overview').focus();
  await page.keyboard.press('ArrowRight');
  await expect(
    page.getByText('No recent activity yet. Start exploring to see your activity here!'),
  ).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('heading', { name: 'Invite Friends & Earn Rewards' })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/tab=settings/);
  await page.reload();
  await expect(tab(page, 'Settings'), 'the same tab is open').toHaveAttribute('aria-selected', 'true');

  for (const [row, heading] of [
    ['Configure: Notifications', 'Settings'],
    ['Manage: Privacy Settings', 'Settings'],
    ['Upgrade: Premium Subscription', 'Premium'],
  ] as const) {
    await page.getByRole('link', { name: row }).click();
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await page.goBack();
  }
  await page.getByRole('link', { name: 'Manage: Privacy Settings' }).click();
  await page.getByRole('switch', { name: 'Pause my profile' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await page.goBack();
  await tab(page, 'Activity').click();
  await page.getByRole('link', { name: 'Start Discovering' }).click();
  await expect(page).toHaveURL(/\/discover$/);
});

test('on a phone the tabs stay where they are, and their content begins near the top', async ({
  phoneA,
  server,
}) => {
  await join(phoneA, server, 'Tara Tabs');
  const page = await phoneA.newPage();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/profile');
  const topOf = async (element: Locator) => (await element.boundingBox())?.y;
  const top = await topOf(tab(page, 'Overview'));
  for (const [name, content] of [
    ['Activity', page.getByText('No recent activity yet.')],
    ['Referrals', page.getByRole('heading', { name: 'Invite Friends & Earn Rewards' })],
    ['Settings', page.getByRole('heading', { name: 'Notifications', exact: true })],
  ] as const) {
    await tab(page, name).click();
    await expect(content).toBeVisible();
    expect(await topOf(tab(page, name)), name).toBe(top);
    await expect(page.getByRole('heading', { name: 'Tara Tabs' })).toBeVisible();
    // The empty activity begins with a picture.
    if (name !== 'Activity') expect(await topOf(content), name).toBeLessThan(260);
  }
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await expect(page.getByRole('dialog', { name: 'Edit Profile' })).toBeVisible();
});

test('likes, a match and a message show in the counters and in the activity, also offline', async ({
  browser,
  ownServer,
}) => {
  const phoneA = await newPhone(browser, ownServer.url, withWorker);
  const phoneB = await newPhone(browser, ownServer.url);
  const ann = await join(phoneA, ownServer, 'Ann Active');
  const ben = await join(phoneB, ownServer, 'Ben Busy');
  await match(phoneA, ann, phoneB, ben);
  const pageB = await openConversation(phoneB, ann);
  await sendMessage(pageB, 'hello');
  await expect(ticks(pageB, 'sent')).toHaveCount(1);
  const page = await phoneA.newPage();
  await page.goto('/profile');
  await expect(figure(page, 'Matches')).toHaveText('1');
  await expect(figure(page, 'Messages')).toHaveText('1');

  await tab(page, 'Activity').click();
  const listed = page.getByRole('tabpanel').getByRole('listitem');
  const items = listed.filter({ hasNotText: 'You earned the badge' }); // which jobs award meanwhile
  await expect(items).toHaveText([/You and Ben like each other\./, /You liked Ben\./]);
  await items.first().getByRole('link').click();
  await expect(page).toHaveURL(/\/messages\/[-0-9a-f]+$/);
  await page.goBack();

  await tab(page, 'Referrals').click();
  const link = await referralLink(page);
  await waitForServiceWorker(page);
  await ownServer.stop();
  await page.reload();
  await expect.poll(() => referralLink(page)).toBe(link);
  await tab(page, 'Activity').click();
  await expect(items).toHaveText([/You and Ben like each other\./, /You liked Ben\./]);
  await phoneA.close();
  await phoneB.close();
});

test('copying the link shows a tick for a while, and the link is shared where the device supports it', async ({
  browser,
  server,
}) => {
  const phone = await newPhone(browser, server.url, { permissions: ['clipboard-read', 'clipboard-write'] });
  await join(phone, server, 'Cora Copy');
  const page = await phone.newPage();
  const readClipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'share', { value: undefined, configurable: true });
  });
  await page.goto('/referrals');
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByRole('button', { name: 'Link copied' })).toBeVisible();
  await expect(page.getByText('Link copied!')).toBeVisible();
  await expect(page.getByText('Share this link with friends to earn rewards')).toBeVisible();
  const link = await referralLink(page);
  expect(link).toMatch(new RegExp(`^${server.url}/\\?ref=[A-Z0-9]{8}$`));
  expect(await readClipboard()).toBe(link);
  await expect(page.getByRole('button', { name: 'Copy link' }), 'the tick disappears').toBeVisible();

  await page.evaluate(() => navigator.clipboard.writeText('something else'));
  await page.getByRole('button', { name: 'Share Link' }).click();
  await expect.poll(readClipboard, 'without a share sheet the link is copied').toBe(link);

  await page.evaluate(() => {
    const shared: ShareData[] = [];
    const share = async (data: ShareData) => void shared.push(data);
    Object.assign(globalThis, { shared });
    Object.defineProperty(navigator, 'share', { value: share, configurable: true });
  });
  await page.getByRole('button', { name: 'Share Link' }).click();
  const shared = () => page.evaluate(() => (globalThis as unknown as { shared: ShareData[] }).shared);
  await expect.poll(shared).toMatchObject([{ url: link }]);

  await page.getByRole('button', { name: 'More ways' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share Your Referral Link' });
  await expect(dialog).toContainText('you both get 1 week of premium features free');
  for (const name of ['WhatsApp', 'Twitter', 'Facebook']) {
    const shareLink = dialog.getByRole('link', { name });
    await expect(shareLink).toHaveAttribute('href', new RegExp(encodeURIComponent(link)));
    await expect(shareLink).toHaveAttribute('target', '_blank');
    await expect(shareLink).toHaveAttribute('rel', /noopener/);
  }

  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
  });
  await dialog.getByRole('button', { name: 'Copy Link' }).click();
  await expect(page.getByText('Please copy the link manually')).toBeVisible();
  await phone.close();
});

withDemo('the share dialog passes axe', async ({ browser, server }) => {
  const phone = await newPhone(browser, server.url);
  await signInAsDemo(phone);
  const page = await phone.newPage();
  await page.goto('/profile?tab=referrals');
  await page.getByRole('button', { name: 'More ways' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'More ways' }), 'the focus is restored').toBeFocused();
  await phone.close();
});
