import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from '@playwright/test';
import { findSeriousViolations } from './support/axe.ts';
import { addPeople } from './support/people.ts';
import { join } from './support/phones.ts';
import type { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';

/** Adds a match of a member, who has written a message, and returns its conversation. */
async function addWriter(server: Server, memberId: string, name: string): Promise<string> {
  const [peer] = await addPeople(server, name);
  const [match, conversation] = [randomUUID(), randomUUID()];
  const pair = [memberId, peer?.id];
  await server.query(
    `INSERT INTO matches (id, user_a, user_b) VALUES ($1, least($2::uuid, $3), greatest($2::uuid, $3))`,
    [match, ...pair],
  );
  await server.query(
    `INSERT INTO conversations (id, user_a, user_b, match_id, last_seq, last_message_at, last_sender)
     VALUES ($1, least($3::uuid, $4), greatest($3::uuid, $4), $2, 1, now(), $4)`,
    [conversation, match, ...pair],
  );
  await server.query(
    `INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content) VALUES (gen_random_uuid(), $1, 1, $2, gen_random_uuid(), 'Hello from me')`,
    [conversation, peer?.id],
  );
  return conversation;
}

const item = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) });

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Options for the conversation with ${name}` }).click();
  await page.getByRole('dialog', { name }).getByText(action, { exact: true }).click();
}

async function openList(phone: BrowserContext): Promise<Page> {
  const page = await phone.newPage();
  await page.goto('/messages');
  return page;
}

test('a conversation is archived, found, and comes back with a new message', async ({ phoneA, server }) => {
  const ann = await join(phoneA, server, 'Ann Tidy');
  const conversation = await addWriter(server, ann.id, 'Ben');
  await addWriter(server, ann.id, 'Cleo');
  const page = await openList(phoneA);
  await choose(page, 'Ben', 'Archive');
  await expect(item(page, 'Ben')).toHaveCount(0);
  await expect(item(page, 'Cleo')).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Archived (1)' }).click();
  await expect(item(page, 'Ben')).toBeVisible();
  await expect(item(page, 'Cleo')).toHaveCount(0);
  expect(await findSeriousViolations(page)).toEqual([]);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/archive.png` });
  await page.getByRole('button', { name: 'Back to your chats' }).click();
  await expect(item(page, 'Cleo')).toBeVisible();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/archive-list.png` });

  await server.query(
    `INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content)
     SELECT gen_random_uuid(), $1, 2, CASE user_a WHEN $2 THEN user_b ELSE user_a END, gen_random_uuid(), 'And again' FROM conversations WHERE id = $1`,
    [conversation, ann.id],
  );
  await server.query(
    `UPDATE conversations SET last_seq = 2, last_message_at = now(), changed_xid = pg_current_xact_id() WHERE id = $1`,
    [conversation],
  );
  await page.reload();
  await expect(item(page, 'Ben')).toContainText('And again');
  await expect(page.getByRole('button', { name: /^Archived/ })).toHaveCount(0);
});

test('the last archived conversation is taken out, and a turn that needs no answer ends', async ({
  phoneA,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Turns');
  await addWriter(server, ann.id, 'Dora');
  const page = await openList(phoneA);
  await choose(page, 'Dora', 'Mark as read');
  await expect(item(page, 'Dora')).toContainText('Your turn');
  await choose(page, 'Dora', 'No answer needed');
  await expect(item(page, 'Dora')).toBeVisible();
  await expect(page.getByText('Your turn')).toHaveCount(0);
  await choose(page, 'Dora', 'Archive');
  await expect(page.getByRole('heading', { name: 'No conversations yet' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Archived (1)' }).click();
  await choose(page, 'Dora', 'Unarchive');
  await expect(page.getByRole('button', { name: /^Archived/ })).toHaveCount(0);
  await expect(item(page, 'Dora')).toBeVisible();
  await expect(page.getByText('Your turn')).toHaveCount(0);
});
