import type { Page } from '@playwright/test';
import { composer, join, match, newPhone, openConversation, sendMessage, ticks } from './support/phones.ts';
import { expect, test } from './support/test.ts';

const cards = (page: Page) => page.getByRole('article');
const names = (page: Page) => page.getByRole('article').getByRole('heading').allTextContents();
const tile = (page: Page, label: string) =>
  page.getByRole('definition').filter({ has: page.locator(`xpath=../dt[normalize-space()="${label}"]`) });

test('matches show real figures and times, and can be sorted by new or by unread', async ({
  browser,
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Sort');
  const ben = await join(phoneB, server, 'Ben Sort');
  const third = await newPhone(browser, server.url);
  const cara = await join(third, server, 'Cara Sort');
  const page = await phoneA.newPage();
  await page.goto('/matches');
  await expect(page.getByText('People who liked you back!')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Discover People' }).click();
  await expect(page).toHaveURL('/');

  await match(phoneA, ann, phoneB, ben);
  await match(phoneA, ann, third, cara);
  await page.goto('/matches');
  await expect(cards(page)).toHaveCount(2);
  expect(await names(page)).toEqual(['Cara, 31', 'Ben, 31']);
  await expect(cards(page).first()).toContainText('Match!');
  await expect(cards(page).first(), 'the time of the match').toContainText(/Match!(now|\d+m ago)/);
  await expect(tile(page, 'Total matches')).toHaveText('2');
  await expect(tile(page, 'Conversations')).toHaveText('0');
  await expect(tile(page, 'Dates planned')).toHaveText('0');

  const pageB = await openConversation(phoneB, ann);
  await sendMessage(pageB, 'Are you there?');
  await expect(page.getByRole('link', { name: 'Message Ben, 1 unread message' })).toBeVisible();
  await expect(tile(page, 'Conversations')).toHaveText('1');
  await page.getByRole('button', { name: 'Unread first' }).click();
  await expect.poll(() => names(page)).toEqual(['Ben, 31', 'Cara, 31']);
  await page.reload();
  await expect.poll(() => names(page), 'the order is in the address').toEqual(['Ben, 31', 'Cara, 31']);

  await page.getByRole('link', { name: /^Message Ben/ }).click();
  await expect(page.getByTestId('bubble-text')).toHaveText('Are you there?');
  await expect(ticks(pageB, 'read'), 'Ben sees that it is read').toHaveCount(1);
  await page.goBack();
  await expect(page.getByRole('link', { name: 'Message Ben', exact: true })).toBeVisible();
  await third.close();
});

test('unmatching can be undone, and then removes the match and the conversation from both phones', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Gone');
  const ben = await join(phoneB, server, 'Ben Gone');
  await match(phoneA, ann, phoneB, ben);
  const pageB = await openConversation(phoneB, ann);
  await sendMessage(pageB, 'A last word');
  const listB = await phoneB.newPage();
  await listB.goto('/matches');
  await expect(cards(listB)).toContainText('Ann, 31');

  const page = await phoneA.newPage();
  await page.goto('/matches');
  await page.getByRole('button', { name: 'Options for Ben' }).click();
  await page.getByRole('button', { name: /^Unmatch/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Unmatch Ben?' });
  await expect(dialog).toContainText('You can undo this for ten seconds.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(cards(page), 'unchanged before the confirmation').toContainText('Ben, 31');

  const unmatch = async () => {
    await page.getByRole('button', { name: 'Options for Ben' }).click();
    await page.getByRole('button', { name: /^Unmatch/ }).click();
    await dialog.getByRole('button', { name: 'Unmatch' }).click();
    await expect(page.getByText('Unmatching Ben')).toBeVisible();
    await expect(cards(page)).toContainText('Your match is about to end.');
  };
  await unmatch();
  await cards(page).getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText("You're still matched with Ben")).toBeVisible();
  await expect(page.getByRole('link', { name: 'Message Ben, 1 unread message' })).toBeVisible();

  const profileB = await phoneB.newPage();
  await profileB.goto(`/profile/${ann.id}`);
  await expect(profileB.getByRole('heading', { name: 'Ann, 31' })).toBeVisible();
  await unmatch();
  await expect(page.getByRole('heading', { name: 'No matches yet' })).toBeVisible();
  await expect(
    profileB.getByRole('heading', { name: 'This profile is not here' }),
    'also in an app that shows it',
  ).toBeVisible();
  await expect(profileB.getByRole('button', { name: 'Options for this member' })).toBeVisible();
  await expect(listB.getByRole('heading', { name: 'No matches yet' })).toBeVisible();
  await expect(pageB.getByText("This conversation isn't here")).toBeVisible();
  await expect(composer(pageB)).toHaveCount(0);
  for (const one of [page, listB]) {
    await one.goto('/messages');
    await expect(one.getByRole('heading', { name: 'No conversations yet' })).toBeVisible();
  }
  for (const [one, other] of [
    [page, ben],
    [listB, ann],
  ] as const) {
    await one.goto(`/profile/${other.id}`);
    await expect(one.getByRole('heading', { name: 'This profile is not here' })).toBeVisible();
    await expect(one.getByRole('button', { name: /Like/ })).toHaveCount(0);
    await one.getByRole('button', { name: 'Options for this member' }).click();
    await expect(one.getByRole('button', { name: /^Report/ })).toBeVisible();
  }
});

test('a message written offline before the other member unmatches is removed with the conversation', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Late');
  const ben = await join(phoneB, server, 'Ben Late');
  await match(phoneA, ann, phoneB, ben);
  const page = await openConversation(phoneA, ben);
  await phoneA.setOffline(true);
  await sendMessage(page, 'Never to arrive');
  await expect(page.getByTestId('bubble-text')).toHaveText('Never to arrive');
  const [row] = await server.query<{ id: string }>('SELECT id FROM matches WHERE $1 IN (user_a, user_b)', [
    ann.id,
  ]);
  expect((await phoneB.request.delete(`/api/matches/${row?.id}`)).status()).toBe(204);
  await phoneA.setOffline(false);
  await expect(page.getByText('A match has ended')).toBeVisible();
  await expect(page.getByText("This conversation isn't here")).toBeVisible();
  expect(await server.query("SELECT FROM messages WHERE content = 'Never to arrive'")).toHaveLength(0);
});

test('on a phone the bottom bar cannot be reached below an open conversation', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Bar');
  const ben = await join(phoneB, server, 'Ben Bar');
  await match(phoneA, ann, phoneB, ben);
  const page = await openConversation(phoneA, ben);
  const coveredElement = () =>
    page.evaluate(() => {
      const { activeElement } = document;
      const box = activeElement?.getBoundingClientRect();
      if (!box || !activeElement || activeElement === document.body) return '';
      const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      return top && !activeElement.contains(top) && !top.contains(activeElement)
        ? activeElement.outerHTML
        : '';
    });
  for (let count = 0; count < 15; count += 1) {
    await page.keyboard.press('Tab');
    expect(await coveredElement()).toBe('');
  }
  await page.goto('/messages');
  await expect(page.getByRole('link', { name: 'Profile', exact: true })).toBeVisible();
});
