/** Faults that people met in other products (docs/field-cases.md), tried here. */
import type { BrowserContext, Page } from '@playwright/test';
import { bubbles, composer, join, match, newPhone, openConversation, sendMessage } from './support/phones.ts';
import { expect, test } from './support/test.ts';

const unreadOf = (page: Page) => page.getByRole('link', { name: /^Messages/ }).first();

async function block(phone: BrowserContext, userId: string): Promise<void> {
  const response = await phone.request.post('/api/blocks', { data: { userId } });
  expect(response.ok(), await response.text()).toBe(true);
}

test('a text for one person does not stand in the field of the next', async ({
  phoneA,
  phoneB,
  browser,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Drafts');
  const ben = await join(phoneB, server, 'Ben Drafts');
  const phoneC = await newPhone(browser, server.url);
  const cleo = await join(phoneC, server, 'Cleo Drafts');
  await match(phoneA, ann, phoneB, ben);
  await match(phoneA, ann, phoneC, cleo);
  await sendMessage(await openConversation(phoneC, ann), 'hello from Cleo');
  await sendMessage(await openConversation(phoneB, ann), 'hello from Ben');
  const page = await openConversation(phoneA, ben);
  // Both conversations side by side with the list.
  await page.setViewportSize({ width: 1440, height: 900 });
  await composer(page).fill('only for Ben');
  await page.getByRole('listitem').filter({ hasText: 'Cleo' }).getByRole('link').click();
  const toCleo = page.getByRole('textbox', { name: 'Message to Cleo' });
  await expect(toCleo).toHaveValue('');
  await toCleo.fill('only for Cleo');
  await page.goBack();
  await expect(page.getByRole('textbox', { name: 'Message to Ben' })).toHaveValue('only for Ben');
  await page.goForward();
  await expect(toCleo).toHaveValue('only for Cleo');
  await phoneC.close();
});

test('what is typed right after sending stays, and what was sent does not come back', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Typing');
  const ben = await join(phoneB, server, 'Ben Typing');
  await match(phoneA, ann, phoneB, ben);
  const page = await openConversation(phoneA, ben);
  await composer(page).focus();
  await page.keyboard.type('one');
  await page.keyboard.press('Enter');
  await page.keyboard.type('two');
  await expect.poll(() => bubbles(page)).toEqual(['one']);
  await expect(page.locator('[data-client-id] [data-tick="sent"]'), 'the server has it').toHaveCount(1);
  await expect(composer(page)).toHaveValue('two');
});

test('messages are not marked as read while the page is hidden', async ({ phoneA, phoneB, server }) => {
  const ann = await join(phoneA, server, 'Ann Hidden');
  const ben = await join(phoneB, server, 'Ben Hidden');
  await match(phoneA, ann, phoneB, ben);
  const page = await openConversation(phoneA, ben);
  const show = (state: 'hidden' | 'visible') =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true });
      Object.defineProperty(document, 'hidden', { value: value === 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  const readSeq = () =>
    server.query(
      'SELECT CASE user_a WHEN $1 THEN a_read_seq ELSE b_read_seq END AS seq FROM conversations WHERE $1 IN (user_a, user_b)',
      [ann.id],
    );
  const delivered = () =>
    server.query(
      'SELECT CASE user_a WHEN $1 THEN a_delivered_seq ELSE b_delivered_seq END AS seq FROM conversations WHERE $1 IN (user_a, user_b)',
      [ann.id],
    );
  await show('hidden');
  const other = await openConversation(phoneB, ann);
  await sendMessage(other, 'are you there?');
  await expect.poll(() => bubbles(page)).toEqual(['are you there?']);
  await expect.poll(delivered).toEqual([{ seq: '1' }]);
  // Anything that would be marked is marked before the answer to a later message arrives.
  await sendMessage(other, 'hello?');
  await expect.poll(delivered).toEqual([{ seq: '2' }]);
  expect(await readSeq()).toEqual([{ seq: '0' }]);
  await show('visible');
  await expect.poll(readSeq).toEqual([{ seq: '2' }]);
});

test('the count of unread messages goes with their sender', async ({ phoneA, phoneB, browser, server }) => {
  const ann = await join(phoneA, server, 'Ann Count');
  const ben = await join(phoneB, server, 'Ben Count');
  const phoneC = await newPhone(browser, server.url);
  const cleo = await join(phoneC, server, 'Cleo Count');
  await match(phoneA, ann, phoneB, ben);
  await match(phoneA, ann, phoneC, cleo);
  await sendMessage(await openConversation(phoneB, ann), 'from Ben');
  await sendMessage(await openConversation(phoneC, ann), 'from Cleo');
  const page = await phoneA.newPage();
  await page.goto('/settings');
  await expect(unreadOf(page)).toHaveAccessibleName(/2/);
  // On another device of the member.
  await block(phoneA, ben.id);
  await expect(unreadOf(page)).toHaveAccessibleName(/1/);
  await server.query(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, [cleo.id]);
  await page.reload();
  await expect(unreadOf(page)).not.toHaveAccessibleName(/\d/);
  await phoneC.close();
});
