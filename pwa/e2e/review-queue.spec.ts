import type { Browser, Page } from '@playwright/test';
import { expectUsable, joinAsAdmin } from './support/admin.ts';
import { join, match, newPhone, openConversation, type Person, sendMessage } from './support/phones.ts';
import type { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';

/** Signs up a moderator on a computer and opens the dashboard. */
async function openQueue(browser: Browser, server: Server, fullName: string): Promise<Page> {
  const { computer, admin } = await joinAsAdmin(browser, server, fullName);
  await server.query('UPDATE users SET is_admin = false, is_moderator = true WHERE id = $1', [admin.id]);
  const page = await computer.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/admin/dashboard');
  await expect(page).toHaveURL(/\/admin\/dashboard\/queue$/);
  return page;
}

const flag = (server: Server, receiver: Person, ...texts: string[]) =>
  server.query(
    `INSERT INTO message_flags (message_id, conversation_id, seq, sender_id, receiver_id, content, category, score, source)
     SELECT id, conversation_id, seq, sender_id, $1, content, 'spam', 0.8, 'filter'
     FROM messages WHERE content = ANY ($2)`,
    [receiver.id, texts],
  );

test('a moderator works the queue by keys across three kinds, and another one sees what is open', async ({
  browser,
  ownServer: server,
}) => {
  const [phoneA, phoneB] = [await newPhone(browser, server.url), await newPhone(browser, server.url)];
  const ann = await join(phoneA, server, 'Ann Queue');
  const ben = await join(phoneB, server, 'Ben Queue');
  await match(phoneA, ann, phoneB, ben);
  const chat = await openConversation(phoneB, ann);
  await sendMessage(chat, 'Buy my course.');
  await expect
    .poll(() => server.query("SELECT id FROM messages WHERE content = 'Buy my course.'"))
    .toHaveLength(1);
  await flag(server, ann, 'Buy my course.');
  const story = {
    clientId: crypto.randomUUID(),
    title: 'By the river',
    excerpt: 'A summary',
    content: 'How we met.',
    category: 'advice',
  };
  expect((await phoneA.request.post('/api/community/posts', { data: story })).ok()).toBe(true);
  const report = { userId: ben.id, reason: 'scam', place: 'profile', description: 'He wants money.' };
  expect((await phoneA.request.post('/api/reports', { data: report })).ok()).toBe(true);

  const page = await openQueue(browser, server, 'Mo Queue');
  const rows = page.getByRole('list', { name: 'Queue' }).getByRole('listitem');
  await expect(rows).toHaveCount(3);
  await expect(
    page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: /^Queue/ }),
  ).toContainText('3');
  await expect(rows.first()).toContainText('Scam or money');
  await expect(page.getByText('By the river')).toBeHidden();
  await expectUsable(page, 'queue');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Why do you open it?' }).fill('The queue');
  await page.keyboard.press('Enter');
  await expect(page.getByText('He wants money.')).toBeVisible();
  await expect(page.getByRole('radio', { name: /^Suspend/ })).toBeVisible();
  await expect(page.getByRole('radio', { name: /^Ban/ })).toBeHidden();
  await expectUsable(page, 'queue entry');

  // Another moderator sees who has it, and cannot open it meanwhile.
  const other = await openQueue(browser, server, 'Uma Queue');
  const taken = other.getByRole('list', { name: 'Queue' }).getByRole('listitem').first();
  await expect(taken).toContainText('Opened by Mo');
  await taken.getByRole('link').click();
  await other.getByRole('textbox', { name: 'Why do you open it?' }).fill('The queue');
  await other.keyboard.press('Enter');
  await expect(other.getByText(/Mo has this open/)).toBeVisible();
  await expect(other.getByText('He wants money.')).toBeHidden();

  // After each decision the next entry opens, of another kind.
  await page.keyboard.press('1');
  await page.getByRole('textbox', { name: 'Reason' }).fill('No proof');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('article', { name: 'Report' })).toBeHidden();
  await expect(page).toHaveURL(/queue\/(flag|post)-/);
  for (const _ of ['flag', 'post']) {
    await expect(page.getByRole('textbox', { name: 'Why do you open it?' })).toBeFocused();
    const isFlag = page.url().includes('/flag-');
    await page.keyboard.press('Enter');
    await expect(page.getByText(isFlag ? 'Buy my course.' : 'How we met.')).toBeVisible();
    await page.keyboard.press('1');
    await page.getByRole('textbox', { name: 'Reason' }).fill('Fine');
    await page.keyboard.press('Control+Enter');
    if (isFlag) await expect(page.getByRole('article', { name: 'Flagged message' })).toBeHidden();
  }
  // The last one has no next entry.
  const outcome = page.getByRole('region', { name: 'Outcome' });
  await expect(outcome.getByRole('link', { name: 'Back to the list' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Nothing waits' })).toBeVisible();
  expect(
    await server.query(
      "SELECT action FROM audit_log WHERE action IN ('report.open', 'flag.open', 'community_post.open') GROUP BY action HAVING count(*) = 1",
    ),
  ).toHaveLength(3);
  for (const phone of [phoneA, phoneB]) await phone.close();
  await page.context().close();
  await other.context().close();
});

test('a moderator dismisses several flagged messages at once by keys', async ({
  browser,
  ownServer: server,
}) => {
  const [phoneA, phoneB] = [await newPhone(browser, server.url), await newPhone(browser, server.url)];
  const ann = await join(phoneA, server, 'Ann Bulk');
  const ben = await join(phoneB, server, 'Ben Bulk');
  await match(phoneA, ann, phoneB, ben);
  const chat = await openConversation(phoneB, ann);
  const texts = ['Buy one.', 'Buy two.', 'Buy three.'];
  for (const text of texts) await sendMessage(chat, text);
  await expect
    .poll(() => server.query('SELECT id FROM messages WHERE content = ANY ($1)', [texts]))
    .toHaveLength(3);
  await flag(server, ann, ...texts);

  const page = await openQueue(browser, server, 'Mo Bulk');
  await expect(page.getByRole('list', { name: 'Queue' }).getByRole('listitem')).toHaveCount(3);
  const rows = page.getByRole('list', { name: 'Queue' }).getByRole('listitem');
  for (const row of [rows.first(), rows.last()]) {
    await row.getByRole('link').click();
    await page.getByRole('textbox', { name: 'Why do you open it?' }).fill('The queue');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('textbox', { name: 'Why do you open it?' })).toBeHidden();
    await expect(row.getByRole('checkbox')).toBeEnabled();
  }
  await page.goBack();
  await expect(rows.first().getByRole('checkbox')).toBeEnabled();
  for (const row of [rows.first(), rows.last()]) {
    await row.getByRole('link').focus();
    await page.keyboard.press('x');
  }
  await expect(rows.nth(1).getByRole('checkbox')).toBeDisabled();
  await expect(page.getByText('2 messages selected')).toBeVisible();
  await expectUsable(page, 'queue selection');
  await page.keyboard.press('d');
  const question = page.getByRole('dialog', { name: 'Dismiss 2 messages?' });
  await expect(question).toBeVisible();
  await question.getByRole('textbox', { name: 'Reason' }).fill('Harmless');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Dismissed 2 messages')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Queue' }).getByRole('listitem')).toHaveCount(1);
  for (const phone of [phoneA, phoneB]) await phone.close();
  await page.context().close();
});
