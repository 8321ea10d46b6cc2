import { randomUUID } from 'node:crypto';
import {
  afterRestart,
  bubbles,
  composer,
  join,
  match,
  newPhone,
  openConversation,
  recordCloseCodes,
  sendMessage,
  signInOn,
  ticks,
} from './support/phones.ts';
import { expect, test } from './support/test.ts';
import { insertMessages, isInView, scrollUntil, thread } from './support/thread.ts';

test('a member is shown as online, and the typing indicator ends by itself', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Dot');
  const ben = await join(phoneB, server, 'Ben Dot');
  await match(phoneA, ann, phoneB, ben);
  const pageA = await openConversation(phoneA, ben);
  await expect(pageA.getByText('Connected')).toBeVisible();
  await expect(pageA.getByText('Last seen a few minutes ago')).toBeVisible();
  const pageB = await openConversation(phoneB, ann);
  await expect(
    pageA.getByRole('banner').or(pageA.locator('header')).getByText('Online').first(),
  ).toBeVisible();

  await composer(pageB).pressSequentially('Dear Ann');
  await expect(pageA.getByText('Ben is typing')).toBeVisible();
  // Without further typing the writer's own phone ends the signal after four seconds.
  await expect(pageA.getByText('Ben is typing')).toBeHidden();
  await expect(composer(pageB)).toHaveValue('Dear Ann');

  await pageB.close();
  await expect(pageA.getByText('Online', { exact: true })).toHaveCount(0);
});

test('two phones of one member show the same messages and the same read state', async ({
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
  await sendMessage(pageB, 'one for both');
  await expect(list.getByText('1 unread message')).toBeAttached();

  const pageA = await openConversation(phoneA, ben);
  await expect.poll(() => bubbles(pageA)).toEqual(['one for both']);
  await expect(list.getByText('1 unread message'), 'the second phone has the same read state').toHaveCount(0);
  await expect(ticks(pageB, 'read')).toHaveCount(1);

  await sendMessage(pageA, 'from the first phone');
  await expect(list.getByText('You: from the first phone')).toBeVisible();
  await list.getByText('You: from the first phone').click();
  await expect.poll(() => bubbles(list)).toEqual(['one for both', 'from the first phone']);
  await second.close();
});

test('after a server restart the sockets reconnect and no event is missed', async ({
  browser,
  ownServer,
}) => {
  const a = await newPhone(browser, ownServer.url);
  const b = await newPhone(browser, ownServer.url);
  const codes = await recordCloseCodes(a);
  const ann = await join(a, ownServer, 'Ann Restart');
  const ben = await join(b, ownServer, 'Ben Restart');
  await match(a, ann, b, ben);
  const pageA = await openConversation(a, ben);
  const pageB = await openConversation(b, ann);
  await expect(pageA.getByText('Connected')).toBeVisible();
  await ownServer.stop();
  await expect.poll(() => codes).toContain(1012);
  await sendMessage(pageB, 'written meanwhile');
  await ownServer.start();
  await expect(pageA.getByText('Connected')).toBeVisible(afterRestart);
  await expect.poll(() => bubbles(pageA), afterRestart).toEqual(['written meanwhile']);
  await sendMessage(pageA, 'there you are');
  await expect.poll(() => bubbles(pageB), afterRestart).toEqual(['written meanwhile', 'there you are']);
  await Promise.all([a.close(), b.close()]);
});

test('a long conversation opens at the first unread message, scrolls to the very first, and keeps its position', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Long');
  const ben = await join(phoneB, server, 'Ben Long');
  await match(phoneA, ann, phoneB, ben);
  await insertMessages(server, ann.id, ben.id, 300);
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

  const drawnTexts = new Set<string>();
  // Only messages in view are drawn; scrolling up by less than the height of the list draws each of them in turn.
  await scrollUntil(thread(page), -500, async () => {
    for (const text of await bubbles(page)) drawnTexts.add(text);
    return isInView(bubble('message 1'));
  });
  const expectedTexts = Array.from({ length: 282 }, (_, index) => `message ${index + 1}`);
  expect(
    expectedTexts.filter((text) => !drawnTexts.has(text)),
    'every message from the opened one up',
  ).toEqual([]);
  expect((await bubbles(page)).length, 'messages out of view are not drawn').toBeLessThan(60);

  const before = await bubble('message 5').boundingBox();
  const pageB = await openConversation(phoneB, ann);
  await sendMessage(pageB, 'and one more');
  await expect(page.getByRole('button', { name: /new messages?, jump to the newest/ })).toBeVisible();
  expect((await bubble('message 5').boundingBox())?.y, 'nothing moves under the reader').toBe(before?.y);
  await page.getByRole('button', { name: /jump to the newest/ }).click();
  await expect(bubble('and one more')).toBeInViewport();
});

test('a rejected message can be sent again or deleted', async ({ phoneA, phoneB, server }) => {
  const ann = await join(phoneA, server, 'Ann Rejected');
  const ben = await join(phoneB, server, 'Ben Rejected');
  await match(phoneA, ann, phoneB, ben);
  const page = await openConversation(phoneA, ben);
  await sendMessage(page, 'first');
  await expect(ticks(page, 'sent')).toHaveCount(1);
  const setApproved = (approved: boolean) =>
    server.query('UPDATE users SET is_approved = $2 WHERE id = $1', [ann.id, approved]);
  await setApproved(false);
  await sendMessage(page, 'while alone');
  await expect(page.getByText(/^Not sent\. ./)).toBeVisible();
  await expect(ticks(page, 'failed')).toHaveCount(1);
  const rejection = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().endsWith('/api/messages'),
  );
  await page.getByRole('button', { name: 'Retry' }).click();
  expect((await rejection).status()).toBe(403);
  await expect(ticks(page, 'failed')).toHaveCount(1);
  await setApproved(true);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(ticks(page, 'failed')).toHaveCount(0);
  await expect(ticks(page, 'sent')).toHaveCount(2);

  await setApproved(false);
  await sendMessage(page, `while alone again ${randomUUID()}`);
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect.poll(() => bubbles(page)).toEqual(['first', 'while alone']);
});
