import type { BrowserContext, Page } from '@playwright/test';
import { expectAccessibleInEveryTheme } from './support/axe.ts';
import { findLayoutFaults } from './support/layout.ts';
import { join, match, newPhone, signInOn, waitForServiceWorker, withWorker } from './support/phones.ts';
import { expect, test } from './support/test.ts';

const bell = (page: Page) => page.getByRole('link', { name: /^Notifications/ });

async function post(phone: BrowserContext, path: string, data: object): Promise<void> {
  const response = await phone.request.post(path, { data });
  expect(response.ok(), await response.text()).toBe(true);
}

test('what happens to a member counts at the bell of all devices, and is read on one of them, also offline', async ({
  browser,
  phoneB,
  server,
}) => {
  const phone = await newPhone(browser, server.url, withWorker);
  const laptop = await newPhone(browser, server.url, {
    viewport: { width: 1440, height: 900 },
    isMobile: false,
    hasTouch: false,
  });
  const phoneC = await newPhone(browser, server.url);
  const ann = await join(phone, server, 'Ann Noticed');
  const ben = await join(phoneB, server, 'Ben Busy');
  await join(phoneC, server, 'Cleo Curious');
  // She has all badges, so that no job adds one to the counts.
  await server.query(
    `INSERT INTO user_badges (user_id, badge_id, earned_at, is_notified)
     SELECT $1, id, now() - interval '100 days', true FROM badges`,
    [ann.id],
  );
  await server.query(
    `INSERT INTO verifications (id, user_id, pose, status, submitted_at, decided_at, reason)
     VALUES (gen_random_uuid(), $1, 'wave', 'rejected', now() - interval '1 day', now() - interval '1 day', 'Dark')`,
    [ann.id],
  );
  await match(phone, ann, phoneB, ben);
  await signInOn(laptop, server, ann);
  await post(phone, '/api/notifications/read', { until: new Date(Date.now() + 60_000).toISOString() });

  const [page, desk] = [await phone.newPage(), await laptop.newPage()];
  for (const each of [page, desk]) {
    await each.emulateMedia({ reducedMotion: 'reduce' });
    await each.goto('/discover');
    await expect(bell(each).first()).toHaveAccessibleName('Notifications');
  }
  await waitForServiceWorker(page);

  await post(phoneC, '/api/likes', { toUserId: ann.id, likeType: 'like' });
  for (const each of [page, desk])
    await expect(bell(each).first()).toHaveAccessibleName('Notifications, 1 unread');
  await post(phoneB, '/api/graduate', { userTwoId: ann.id, legacyMessage: null, showOnLegacyWall: false });
  for (const each of [page, desk])
    await expect(bell(each).first()).toHaveAccessibleName('Notifications, 2 unread');

  await bell(page).first().click();
  await expect(page.getByRole('heading', { name: 'Today' })).toBeVisible();
  const asked = page.getByRole('link', { name: /Ben wants to graduate with you/ });
  const liked = page.getByRole('link', { name: /Cleo likes you/ });
  await expect(asked).toContainText('Unread');
  await expect(liked).toContainText('Unread');
  await expect(page.getByRole('link', { name: /You and Ben like each other/ })).not.toContainText('Unread');
  await expect(page.getByRole('link', { name: /could not be verified/ })).not.toContainText('Unread');
  await expectAccessibleInEveryTheme(page, 'notifications');
  expect(await findLayoutFaults(page)).toEqual([]);

  await asked.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/graduation$/);
  await expect(bell(desk).first()).toHaveAccessibleName('Notifications, 1 unread');

  await page.goBack();
  await expect(asked).not.toContainText('Unread');
  await page.getByRole('button', { name: 'Unread' }).click();
  await expect(liked).toBeVisible();
  await expect(asked).toBeHidden();

  await phone.setOffline(true);
  await page.reload();
  await expect(liked).toContainText('Unread');
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(liked).not.toContainText('Unread');
  await expect(bell(desk).first()).toHaveAccessibleName('Notifications, 1 unread');
  await phone.setOffline(false);
  await expect(bell(desk).first()).toHaveAccessibleName('Notifications');

  // The item is gone with its cause.
  await post(phoneB, '/api/graduation/withdraw', {});
  await expect(asked).toHaveCount(0);
  await Promise.all([phone.close(), laptop.close(), phoneC.close()]);
});
