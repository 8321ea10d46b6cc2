import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import {
  bubbles,
  composer,
  join,
  match,
  newPhone,
  openConversation,
  signInOn,
  ticks,
  watchSockets,
  write,
} from './support/phones.ts';
import type { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';

const thread = (page: Page) => page.getByRole('region', { name: /^Messages with/ });

/** Fills the conversation of the two as if they had written for weeks: odd by one, even by the other. */
async function writeMany(server: Server, one: string, other: string, count: number): Promise<void> {
  await server.query(
    `INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content, sent_at)
     SELECT gen_random_uuid(), c.id, n, CASE n % 2 WHEN 1 THEN $1::uuid ELSE $2::uuid END, gen_random_uuid(),
       'message ' || n, now() - ($3 - n) * interval '1 minute'
     FROM conversations c, generate_series(1, $3::int) AS n WHERE $1 IN (c.user_a, c.user_b)`,
    [one, other, count],
  );
  await server.query(
    `UPDATE conversations SET last_seq = $2, last_message_at = now(), changed_xid = pg_current_xact_id()
     WHERE $1 IN (user_a, user_b)`,
    [one, count],
  );
}

test('who is here shows a dot, and typing ends by itself', async ({ phoneA, phoneB, server }) => {
  const ann = await join(phoneA, server, 'Ann Dot');
  const ben = await join(phoneB, server, 'Ben Dot');
  await match(phoneA, ann, phoneB, ben);
  const pageA = await openConversation(phoneA, ben);
  await expect(pageA.getByText('Connected')).toBeVisible();
  await expect(pageA.getByText('Portland')).toBeVisible();
  const pageB = await openConversation(phoneB, ann);
  await expect(
    pageA.getByRole('banner').or(pageA.locator('header')).getByText('Online').first(),
  ).toBeVisible();

  await composer(pageB).pressSequentially('Dear Ann');
  await expect(pageA.getByText('Ben is typing')).toBeVisible();
  // Nothing more is typed: the writer's own phone takes it back after four seconds.
  await expect(pageA.getByText('Ben is typing')).toBeHidden();
  await expect(composer(pageB)).toHaveValue('Dear Ann');

  await pageB.close();
  await expect(pageA.getByText('Online', { exact: true })).toHaveCount(0, { timeout: 20_000 });
});

test('two phones of one member hold the same messages and the same read state', async ({
  browser,
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Both');
  const ben = await join(phoneB, server, 'Ben Both');
  await match(phoneA, ann, phoneB, ben);
  const second = await newPhone(browser, server.url);
  await signInOn(second, server, ann);
  const list = await second.newPage();
  await list.goto('/messages');
  await expect(list.getByText('Say hello to Ben')).toBeVisible();
  const pageB = await openConversation(phoneB, ann);
  await write(pageB, 'one for both');
  await expect(list.getByText('1 unread message')).toBeAttached();

  const pageA = await openConversation(phoneA, ben);
  await expect.poll(() => bubbles(pageA)).toEqual(['one for both']);
  await expect(list.getByText('1 unread message'), 'read on the one, read on the other').toHaveCount(0);
  await expect(ticks(pageB, 'read')).toHaveCount(1);

  await write(pageA, 'from the first phone');
  await expect(list.getByText('You: from the first phone')).toBeVisible();
  await list.getByText('You: from the first phone').click();
  await expect.poll(() => bubbles(list)).toEqual(['one for both', 'from the first phone']);
  await second.close();
});

test('after a restart the sockets come back at once and nothing is missed', async ({
  browser,
  ownServer,
}) => {
  const a = await newPhone(browser, ownServer.url);
  const b = await newPhone(browser, ownServer.url);
  const codes = await watchSockets(a);
  const ann = await join(a, ownServer, 'Ann Restart');
  const ben = await join(b, ownServer, 'Ben Restart');
  await match(a, ann, b, ben);
  const pageA = await openConversation(a, ben);
  const pageB = await openConversation(b, ann);
  await expect(pageA.getByText('Connected')).toBeVisible();
  await ownServer.stop();
  await expect.poll(() => codes).toContain(1012);
  await write(pageB, 'written meanwhile');
  await ownServer.start();
  await expect(pageA.getByText('Connected')).toBeVisible({ timeout: 20_000 });
  await expect.poll(() => bubbles(pageA), { timeout: 20_000 }).toEqual(['written meanwhile']);
  await write(pageA, 'there you are');
  await expect
    .poll(() => bubbles(pageB), { timeout: 20_000 })
    .toEqual(['written meanwhile', 'there you are']);
  await Promise.all([a.close(), b.close()]);
});

test('frames nobody knows change nothing', async ({ phoneA, phoneB, server }) => {
  const ann = await join(phoneA, server, 'Ann Frames');
  const ben = await join(phoneB, server, 'Ben Frames');
  await match(phoneA, ann, phoneB, ben);
  const page = await phoneA.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  let say: (frame: string | Buffer) => void = () => undefined;
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const upstream = socket.connectToServer();
    say = (frame) => socket.send(frame);
    upstream.onMessage((frame) => socket.send(frame));
  });
  await page.goto(`/messages/${ben.id}`);
  await expect(page.getByText('Connected')).toBeVisible();
  const strange = ['', 'null', '42', '[]', '{}', 'no json', '{"type":"from_the_future","x":{}}'];
  for (const frame of [...strange, '{"type":"new_message"}', '{"type":"user_typing","userId":7}']) say(frame);
  say(Buffer.from([1, 2, 3]));
  const pageB = await openConversation(phoneB, ann);
  await write(pageB, 'still there?');
  await expect.poll(() => bubbles(page)).toEqual(['still there?']);
  await expect(page.getByText('Connected')).toBeVisible();
  expect(errors).toEqual([]);
});

test('a long conversation opens at the first unread message, goes up to the first, and keeps its place', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Long');
  const ben = await join(phoneB, server, 'Ben Long');
  await match(phoneA, ann, phoneB, ben);
  await writeMany(server, ann.id, ben.id, 300);
  await server.query(
    `UPDATE conversations SET a_read_seq = 280, a_delivered_seq = 280, b_read_seq = 280, b_delivered_seq = 280
     WHERE $1 IN (user_a, user_b)`,
    [ann.id],
  );
  const page = await openConversation(phoneA, ben);
  const bubble = (text: string) => page.getByTestId('bubble-text').getByText(text, { exact: true });
  await expect(page.getByText('New messages', { exact: true })).toBeInViewport();
  await expect(bubble('message 282'), 'the first of Ben after 280').toBeInViewport();
  await expect(bubble('message 300')).not.toBeInViewport();

  await thread(page).hover();
  for (const target of ['message 200', 'message 100', 'message 1']) {
    await expect(async () => {
      await page.mouse.wheel(0, -3000);
      await expect(bubble(target)).toBeAttached({ timeout: 250 });
    }).toPass();
  }
  await bubble('message 50').scrollIntoViewIfNeeded();
  const before = await bubble('message 50').boundingBox();
  const pageB = await openConversation(phoneB, ann);
  await write(pageB, 'and one more');
  await expect(page.getByRole('button', { name: /new messages?, jump to the newest/ })).toBeVisible();
  expect((await bubble('message 50').boundingBox())?.y, 'nothing moves under the reader').toBe(before?.y);
  await page.getByRole('button', { name: /jump to the newest/ }).click();
  await expect(bubble('and one more')).toBeInViewport();
  const texts = await bubbles(page);
  expect(texts).toEqual([
    ...Array.from({ length: 300 }, (_, index) => `message ${index + 1}`),
    'and one more',
  ]);
});

test('a draft survives leaving and loading again, and goes when it is sent', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Draft');
  const ben = await join(phoneB, server, 'Ben Draft');
  await match(phoneA, ann, phoneB, ben);
  const page = await openConversation(phoneA, ben);
  await composer(page).fill('half a thou');
  await page.getByRole('link', { name: 'Back to messages' }).click();
  await expect(page.getByRole('searchbox')).toBeVisible();
  await page.goto(`/messages/${ben.id}`);
  await expect(composer(page)).toHaveValue('half a thou');
  await composer(page).press('End');
  await composer(page).pressSequentially('ght');
  await composer(page).press('Enter');
  await expect.poll(() => bubbles(page)).toEqual(['half a thought']);
  await page.reload();
  await expect(composer(page)).toBeEditable();
  await expect(composer(page)).toHaveValue('');
});

test('a message that is refused can be tried again or dropped', async ({ phoneA, phoneB, server }) => {
  const ann = await join(phoneA, server, 'Ann Refused');
  const ben = await join(phoneB, server, 'Ben Refused');
  await match(phoneA, ann, phoneB, ben);
  const page = await openConversation(phoneA, ben);
  await write(page, 'first');
  await expect(ticks(page, 'sent')).toHaveCount(1);
  const closed = (sql: string) =>
    server.query(`UPDATE conversations SET closed_at = ${sql} WHERE $1 IN (user_a, user_b)`, [ann.id]);
  await closed('now()');
  await write(page, 'to nobody');
  await expect(page.getByText(/^Not sent\. ./)).toBeVisible();
  await expect(ticks(page, 'failed')).toHaveCount(1);
  const refused = page.waitForResponse(
    (answer) => answer.request().method() === 'POST' && answer.url().endsWith('/api/messages'),
  );
  await page.getByRole('button', { name: 'Retry' }).click();
  expect((await refused).status()).toBe(404);
  await expect(ticks(page, 'failed')).toHaveCount(1);
  await closed('NULL');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(ticks(page, 'failed')).toHaveCount(0);
  await expect(ticks(page, 'sent')).toHaveCount(2);

  await closed('now()');
  await write(page, `to nobody again ${randomUUID()}`);
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect.poll(() => bubbles(page)).toEqual(['first', 'to nobody']);
});
