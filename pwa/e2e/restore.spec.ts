import { randomUUID } from 'node:crypto';
import type { BrowserContext } from '@playwright/test';
import {
  bubbles,
  join,
  match,
  newPhone,
  openConversation,
  type Person,
  sendMessage,
  signInOn,
  ticks,
} from './support/phones.ts';
import { expect, test } from './support/test.ts';

const numbered = (word: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${word} ${from + index}`);

/** Sends through the API and retries while the database is down, as the outbox does. */
async function send(phone: BrowserContext, to: Person, texts: string[]): Promise<void> {
  for (const content of texts) {
    const data = { recipientId: to.id, content, clientId: randomUUID() };
    await expect.poll(async () => (await phone.request.post('/api/messages', { data })).status()).toBe(201);
  }
}

test("after a restore an open and a closed phone show the server's data, and the member's own lost message as not sent", async ({
  browser,
  ownServer,
}) => {
  const [a, openPhone, closedPhone] = [
    await newPhone(browser, ownServer.url),
    await newPhone(browser, ownServer.url),
    await newPhone(browser, ownServer.url),
  ];
  const ann = await join(a, ownServer, 'Ann Backup');
  const ben = await join(openPhone, ownServer, 'Ben Backup');
  await match(a, ann, openPhone, ben);
  await signInOn(closedPhone, ownServer, ben);
  const textsBefore = numbered('before', 1, 10);
  await send(a, ben, textsBefore);
  const pages = [await openConversation(openPhone, ann), await openConversation(closedPhone, ann)] as const;
  for (const page of pages) await expect.poll(() => bubbles(page)).toEqual(textsBefore);

  const restore = await ownServer.backUp();
  const lostTexts = numbered('lost', 1, 5);
  await send(a, ben, lostTexts);
  await sendMessage(pages[0], 'my own words');
  await expect(ticks(pages[0], 'sent').or(ticks(pages[0], 'delivered'))).toHaveCount(1);
  for (const page of pages) {
    await expect.poll(() => bubbles(page)).toEqual([...textsBefore, ...lostTexts, 'my own words']);
    await page.goto('/messages');
    await expect(page.getByText('You: my own words')).toBeVisible();
  }
  await pages[1].close();

  await restore();
  // The open phone's socket has stayed open: the server notices the restore and tells it to sync.
  await expect(pages[0].getByTitle('Not sent')).toBeVisible();
  await expect(pages[0].getByText('unread message')).toHaveCount(0);
  const textsAfter = numbered('after', 1, 3);
  await send(a, ben, textsAfter);
  await expect(pages[0].getByText('3 unread messages')).toBeAttached();
  await expect(pages[0].getByText('after 3')).toBeVisible();

  const reopened = await closedPhone.newPage();
  await reopened.goto('/messages');
  await expect(reopened.getByText('3 unread messages')).toBeAttached();
  for (const page of [pages[0], reopened]) {
    await page.getByText('after 3').click();
    await expect.poll(() => bubbles(page)).toEqual([...textsBefore, ...textsAfter, 'my own words']);
    // Ben's own lost messages are no longer shown as delivered, and he can send them again.
    await expect(ticks(page, 'failed')).toHaveCount(1);
  }

  await sendMessage(reopened, 'a reply');
  await reopened.getByRole('button', { name: 'Retry' }).click();
  const all = [...textsBefore, ...textsAfter, 'a reply', 'my own words'];
  const stored = () => ownServer.query<{ content: string }>('SELECT content FROM messages ORDER BY seq');
  await expect.poll(async () => (await stored()).map(({ content }) => content)).toEqual(all);
  for (const page of [reopened, pages[0]]) {
    await expect.poll(() => bubbles(page)).toEqual(all);
    await expect(ticks(page, 'failed')).toHaveCount(0);
  }
});
