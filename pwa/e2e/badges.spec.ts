import type { Page } from '@playwright/test';
import { expectAccessibleInEveryTheme } from './support/axe.ts';
import { countCelebrations } from './support/celebrations.ts';
import { findLayoutFaults } from './support/layout.ts';
import {
  join,
  keepCelebrationsOpen,
  match,
  newPhone,
  openConversation,
  sendMessage,
} from './support/phones.ts';
import { expect, test } from './support/test.ts';

const shot = (name: string) => (process.env.SHOTS ? `${process.env.SHOTS}/badges-${name}.png` : undefined);

test('a member earns badges by what they do, celebrates each once on one of two devices, and previews another', async ({
  browser,
  ownServer: server,
}) => {
  const [a, b] = [await newPhone(browser, server.url), await newPhone(browser, server.url)];
  await keepCelebrationsOpen(a);
  const ann = await join(a, server, 'Ann Earning');
  const ben = await join(b, server, 'Ben Earning');
  const second = await newPhone(browser, server.url, { storageState: await a.storageState() });
  const page = await a.newPage();
  const other = await second.newPage();
  for (const each of [page, other]) {
    await each.emulateMedia({ reducedMotion: 'reduce' });
    await each.addInitScript(countCelebrations);
    await each.goto('/badges');
    await expect(each.getByRole('region', { name: 'Your Achievements' })).toContainText('0/16');
  }
  for (const category of ['Profile', 'Social', 'Engagement', 'Referral'])
    await expect(page.getByRole('region', { name: category, exact: true })).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Progress to First Match' })).toHaveAttribute(
    'aria-valuenow',
    '0',
  );
  const teasers = page.getByRole('list', { name: 'Worth a try' });
  await expect(teasers).toContainText('Vibe Champion5 conversations lasting 24+ hours');
  await expect(teasers).toContainText('Referral Rockstar');
  await expectAccessibleInEveryTheme(page, 'none');
  expect(await findLayoutFaults(page)).toEqual([]);
  await page.screenshot({ path: shot('none'), fullPage: true });

  await other.close();

  // Elsewhere a badge interrupts nothing.
  const connected = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
  await page.goto('/profile');
  await connected;
  await match(a, ann, b, ben);
  await page.getByRole('dialog', { name: "It's a Match!" }).press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  const chat = await openConversation(a, ben);
  await sendMessage(chat, 'Good morning!');
  await chat.close();
  const link = page.getByRole('main').getByRole('link', { name: /^Badges/ });
  await expect(link).toHaveText('BadgesNew');

  // By keyboard: the link, and each celebration.
  await link.focus();
  await page.keyboard.press('Enter');
  for (const name of ['First Like', 'First Match', 'First Message']) {
    const dialog = page.getByRole('dialog', { name });
    await expect(dialog).toContainText('You earned a badge!');
    if (name === 'First Like') {
      await expectAccessibleInEveryTheme(page, 'celebration');
      await page.screenshot({ path: shot('celebration') });
    }
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
  }
  const social = page.getByRole('region', { name: 'Social' });
  await expect(social.getByRole('listitem').filter({ hasText: 'First Match' })).toContainText('Earned');
  await expect(social.getByRole('progressbar', { name: 'Progress to Social Butterfly' })).toHaveAttribute(
    'aria-valuenow',
    '1',
  );
  await expect(page.getByText('New', { exact: true })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Your Achievements' })).toContainText('3/16');
  await expectAccessibleInEveryTheme(page, 'earned');
  expect(await findLayoutFaults(page)).toEqual([]);
  await page.screenshot({ path: shot('earned'), fullPage: true });

  // The second device celebrates nothing again.
  const later = await second.newPage();
  await later.addInitScript(countCelebrations);
  await later.goto('/badges');
  await expect(later.getByRole('region', { name: 'Your Achievements' })).toContainText('3/16');
  await expect(later.getByText('New', { exact: true })).toHaveCount(0);
  expect(await later.evaluate(() => window.celebrations)).toBe(0);

  const before = await page.evaluate(() => window.celebrations);
  await page.getByRole('button', { name: 'Simulate Badge Earn' }).click();
  const preview = page.getByRole('dialog');
  await expect(preview).toContainText('This is only a preview. It awards nothing.');
  await page.keyboard.press('Escape');
  await expect(preview).toBeHidden();
  expect(await page.evaluate(() => window.celebrations)).toBe(before + 1);
  await page.goto('/profile');
  await expect(link).toHaveText('Badges');
});

test('a member closes a celebration on one of two open phones, which ends it on the other', async ({
  phoneA,
  phoneB,
  browser,
  server,
}) => {
  await join(phoneA, server, 'Ada Twice');
  const ben = await join(phoneB, server, 'Ben Liked');
  const second = await newPhone(browser, server.url, { storageState: await phoneA.storageState() });
  const [page, other] = [await phoneA.newPage(), await second.newPage()];
  for (const each of [page, other]) {
    await each.emulateMedia({ reducedMotion: 'reduce' });
    await each.addInitScript(countCelebrations);
    await each.goto('/badges');
    await expect(each.getByRole('region', { name: 'Your Achievements' })).toBeVisible();
  }
  const liked = await phoneA.request.post('/api/likes', { data: { toUserId: ben.id, likeType: 'like' } });
  expect(liked.ok(), await liked.text()).toBe(true);
  await expect(page.getByRole('dialog', { name: 'First Like' })).toBeVisible();
  await expect(other.getByRole('dialog', { name: 'First Like' })).toBeVisible();
  await page.keyboard.press('Escape');
  for (const each of [page, other]) {
    await expect(each.getByRole('dialog')).toBeHidden();
    await expect(each.getByRole('listitem').filter({ hasText: 'First Like' }).last()).toContainText('Earned');
    await expect(each.getByText('New', { exact: true })).toHaveCount(0);
    expect(await each.evaluate(() => window.celebrations)).toBe(1);
  }
  await second.close();
});

test('a member hides the badges from others, and no longer sees them in the view of a stranger', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const hana = await join(phoneA, server, 'Hana Hiding');
  await join(phoneB, server, 'Otto Looking');
  await server.query(
    `INSERT INTO user_badges (user_id, badge_id, is_notified)
    SELECT $1, id, true FROM badges WHERE icon IN ('profile_complete', 'community_champion', 'first_like')`,
    [hana.id],
  );
  const [page, own] = [await phoneB.newPage(), await phoneA.newPage()];
  const shown = (each: Page) => each.getByRole('region', { name: 'Badges' }).getByRole('listitem');
  const profile = `/profile/${hana.id}`;
  await page.goto(profile);
  await expect(shown(page)).toHaveText(['Profile Complete', 'Community Champion']);
  await page.screenshot({ path: shot('profile-shown'), fullPage: true });
  await own.goto(profile);
  await expect(shown(own)).toHaveCount(2);

  await own.goto('/settings?tab=privacy');
  const hide = own.getByRole('switch', { name: 'Hide my badges' });
  await hide.press('Space');
  await expect(own.getByText('Settings saved')).toBeVisible();
  await own.screenshot({ path: shot('settings'), fullPage: true });
  for (const each of [page, own]) {
    const loaded = each.waitForResponse((response) => response.url().endsWith(`${hana.id}/badges`));
    await each.goto(profile);
    expect(await (await loaded).json()).toEqual([]);
    await expect(shown(each)).toHaveCount(0);
    await expect(each.getByRole('heading', { name: /^Hana, / })).toBeVisible();
  }
  await page.screenshot({ path: shot('profile-hidden'), fullPage: true });
  await own.goto('/badges');
  await expect(own.getByRole('region', { name: 'Your Achievements' })).toContainText('3/16');
});
