import type { Page } from '@playwright/test';
import { bubbles, composer, join, match, openConversation, sendMessage } from './support/phones.ts';
import { expect, test } from './support/test.ts';

const hurtful = "You are a pathetic loser and that's why you're alone";
const scam = 'My card is blocked, can you send me 500 dollars by gift card today?';

const checks = '**/api/messages/check';

/** Types a message and waits for the check of the text that runs before it is sent. */
async function typeAndPause(page: Page, text: string): Promise<void> {
  const checkResponse = page.waitForResponse(checks);
  await composer(page).fill(text);
  expect((await checkResponse).ok()).toBe(true);
}

const nudge = (page: Page) => page.getByRole('dialog');

test('the guard asks before a hurtful message is sent, and the writer decides', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Nudge');
  const ben = await join(phoneB, server, 'Ben Nudge');
  await match(phoneA, ann, phoneB, ben);
  const page = await openConversation(phoneA, ben);
  await sendMessage(page, 'You looked lovely on Sunday');
  await expect(nudge(page), 'a kind message causes no nudge').toHaveCount(0);

  await typeAndPause(page, hurtful);
  await page.route(checks, () => undefined); // the check never responds; sending must not wait for it
  await composer(page).press('Enter');
  await expect(nudge(page)).toContainText(hurtful);
  await nudge(page).getByRole('button', { name: 'Edit' }).click();
  await expect(composer(page)).toHaveValue(hurtful);
  expect(await bubbles(page)).toEqual(['You looked lovely on Sunday']);

  await composer(page).press('Enter');
  await nudge(page).getByRole('button', { name: 'Send anyway' }).press('Enter');
  await expect.poll(() => bubbles(page)).toEqual(['You looked lovely on Sunday', hurtful]);
  const storedTexts = async () =>
    (await server.query('SELECT content FROM messages WHERE sender_id = $1 ORDER BY seq', [ann.id])).map(
      ({ content }) => content,
    );
  await expect.poll(storedTexts).toEqual(['You looked lovely on Sunday', hurtful]);
});

test('the recipient is asked whether a message bothers them, and a flag reaches the moderators', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Guard');
  const ben = await join(phoneB, server, 'Ben Guard');
  await match(phoneA, ann, phoneB, ben);
  const response = await phoneA.request.post('/api/messages', {
    data: { recipientId: ben.id, content: hurtful, clientId: crypto.randomUUID() },
  });
  expect(response.status()).toBe(201);
  const page = await phoneB.newPage();
  await page.goto('/messages');
  await expect(page.getByRole('listitem').filter({ hasText: 'Ann' })).not.toContainText('pathetic');
  await page.goto(`/messages/${ann.id}`);
  const covered = page.getByTestId('bubble-covered');
  await expect(covered).toBeVisible();
  await expect(page.getByText(hurtful)).toHaveCount(0);

  await page.getByRole('button', { name: 'No, show it' }).press('Enter');
  await expect(page.getByTestId('bubble-text').getByText(hurtful)).toBeVisible();
  await expect(page.getByRole('group', { name: 'Does this bother you?' })).toHaveCount(0);
  const flags = () =>
    server.query<{ content: string; category: string; answer: string | null }>(
      'SELECT f.content, f.category, m.flag_answer AS answer FROM message_flags f JOIN messages m ON m.id = f.message_id WHERE m.sender_id = $1 ORDER BY m.seq',
      [ann.id],
    );
  await expect.poll(flags).toEqual([{ content: hurtful, category: 'harassment', answer: 'fine' }]);

  await phoneA.request.post('/api/messages', {
    data: { recipientId: ben.id, content: scam, clientId: crypto.randomUUID() },
  });
  await expect(page.getByText('Never send money, gift cards or bank details')).toBeVisible();
  await expect(page.getByTestId('bubble-text').getByText(scam), 'it is marked, not hidden').toBeVisible();
  await page.getByRole('button', { name: 'Yes', exact: true }).click();
  await expect(page.getByRole('button', { name: /^Report/ })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Block/ })).toBeVisible();
  await expect.poll(async () => (await flags())[1]).toMatchObject({ content: scam, answer: 'bothers' });
});
