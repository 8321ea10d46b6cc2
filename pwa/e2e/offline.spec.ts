import { FaultyProxy } from './support/faulty-proxy.ts';
import {
  afterRestart,
  bubbles,
  composer,
  join,
  newPhone,
  openConversation,
  pair,
  sendMessage,
  ticks,
  waitForServiceWorker,
} from './support/phones.ts';
import type { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';

const five = ['one', 'two', 'three', 'four', 'five'];

/** Returns the texts of the server's messages, ordered by their numbers. */
async function storedTexts(server: Server): Promise<string[]> {
  const rows = await server.query<{ content: string }>(
    'SELECT content FROM messages ORDER BY conversation_id, seq',
  );
  return rows.map((row) => row.content);
}

test('five messages written while the server is down survive a restart of the app and arrive once each, in order', async ({
  browser,
  ownServer,
}) => {
  const { a, b, ann, ben } = await pair(browser, ownServer);
  let pageA = await openConversation(a, ben);
  const pageB = await openConversation(b, ann);
  await sendMessage(pageB, 'an old message');
  await expect.poll(() => bubbles(pageA)).toEqual(['an old message']);
  await waitForServiceWorker(pageA);

  await ownServer.stop();
  await pageA.close();
  pageA = await a.newPage();
  await pageA.goto(`/messages/${ben.id}`);
  await expect.poll(() => bubbles(pageA)).toEqual(['an old message']);
  for (const text of five) await sendMessage(pageA, text);
  await expect(ticks(pageA, 'waiting')).toHaveCount(5);

  await pageA.close();
  pageA = await a.newPage();
  await pageA.goto(`/messages/${ben.id}`);
  await expect.poll(() => bubbles(pageA)).toEqual(['an old message', ...five]);
  await expect(ticks(pageA, 'waiting')).toHaveCount(5);

  await ownServer.start();
  await expect.poll(() => bubbles(pageB), afterRestart).toEqual(['an old message', ...five]);
  await expect(ticks(pageA, 'waiting')).toHaveCount(0);
  expect(await storedTexts(ownServer)).toEqual(['an old message', ...five]);
  expect(await bubbles(pageA)).toEqual(['an old message', ...five]);
  await Promise.all([a.close(), b.close()]);
});

test('a server killed between commit and response stores the message once', async ({
  browser,
  ownServer,
}) => {
  const proxy = await FaultyProxy.start(ownServer);
  const { a, b, ann, ben } = await pair(browser, ownServer, { addressA: proxy.url, workerOn: 'neither' });
  const pageA = await openConversation(a, ben);
  const pageB = await openConversation(b, ann);
  await sendMessage(pageA, 'before');
  await expect.poll(() => bubbles(pageB)).toEqual(['before']);

  let committed: string[] | undefined;
  proxy.onResponse = async (request) => {
    if (committed || request.method !== 'POST' || request.url !== '/api/messages') return 'deliver';
    committed = await storedTexts(ownServer);
    await ownServer.kill();
    return 'cut';
  };
  for (const text of five) await sendMessage(pageA, text);
  await expect.poll(() => committed).toEqual(['before', 'one']);
  await ownServer.start();

  await expect.poll(() => bubbles(pageB), afterRestart).toEqual(['before', ...five]);
  expect(await storedTexts(ownServer)).toEqual(['before', ...five]);
  expect(await bubbles(pageA)).toEqual(['before', ...five]);
  await Promise.all([a.close(), b.close()]);
  await proxy.close();
});

test('a conversation continues after PostgreSQL was killed in the middle of it', async ({
  browser,
  ownServer,
}) => {
  const { a, b, ann, ben } = await pair(browser, ownServer, { workerOn: 'neither' });
  const pageA = await openConversation(a, ben);
  const pageB = await openConversation(b, ann);
  await sendMessage(pageA, 'before');
  await expect.poll(() => bubbles(pageB)).toEqual(['before']);
  ownServer.killPostgres();
  for (const text of five) await sendMessage(pageA, text);
  await expect.poll(() => bubbles(pageB), afterRestart).toEqual(['before', ...five]);
  await sendMessage(pageB, 'all there');
  await expect.poll(() => bubbles(pageA), afterRestart).toEqual(['before', ...five, 'all there']);
  expect(await storedTexts(ownServer)).toEqual(['before', ...five, 'all there']);
  await Promise.all([a.close(), b.close()]);
});

test('two tabs of one phone send each queued message once, and both show it', async ({
  browser,
  ownServer,
}) => {
  const { a, b, ann, ben } = await pair(browser, ownServer);
  const tab1 = await openConversation(a, ben);
  const pageB = await openConversation(b, ann);
  await waitForServiceWorker(tab1);
  await ownServer.stop();
  const tab2 = await a.newPage();
  await tab2.goto(`/messages/${ben.id}`);
  await expect(composer(tab2)).toBeEditable();
  for (const [i, text] of five.entries()) await sendMessage(i % 2 ? tab2 : tab1, text);
  await ownServer.start();
  await expect.poll(() => bubbles(pageB), afterRestart).toEqual(five);
  for (const tab of [tab1, tab2]) {
    await expect.poll(() => bubbles(tab)).toEqual(five);
    await expect(ticks(tab, 'waiting')).toHaveCount(0);
  }
  expect(await storedTexts(ownServer)).toEqual(five);
  await Promise.all([a.close(), b.close()]);
});

/** In the page: returns the number of likes in the outbox. */
async function countQueuedLikes(memberId: string): Promise<number> {
  const db = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open(`heartward-${memberId}`);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  const count = await new Promise<number>((resolve, reject) => {
    const reading = db.transaction('outbox').objectStore('outbox').getAll();
    // The list of matches may have queued that a match was seen.
    const isLike = ({ body }: { body: { kind: string } }) => body.kind === 'like';
    reading.onsuccess = () => resolve(reading.result.filter(isLike).length);
    reading.onerror = () => reject(reading.error);
  });
  db.close();
  return count;
}

test('offline the feed, matches, conversations and one’s own profile can be read, and a like is queued', async ({
  browser,
  ownServer,
}) => {
  const { a, b, ann, ben } = await pair(browser, ownServer);
  const c = await newPhone(browser, ownServer.url);
  const cleo = await join(c, ownServer, 'Cleo Marsh');
  const page = await openConversation(a, ben);
  await sendMessage(page, 'kept on this phone');
  await expect(ticks(page, 'sent')).toBeVisible();
  for (const path of ['/', '/discover', '/matches', '/messages', '/profile']) {
    await page.goto(path);
    await expect(
      page
        .getByRole('main')
        .getByText(path === '/profile' ? ann.fullName : /Ben|Cleo/)
        .first(),
    ).toBeVisible();
  }
  await waitForServiceWorker(page);
  await ownServer.stop();

  await page.goto('/matches');
  await expect(page.getByText('Ben').first()).toBeVisible();
  await page.goto('/messages');
  await expect(page.getByText('kept on this phone').first()).toBeVisible();
  await page.goto('/profile');
  await expect(page.getByRole('main').getByText(ann.fullName).first()).toBeVisible();
  await expect(page.getByText("You're offline. You can read and write; we'll send later.")).toBeVisible();
  await page.goto('/discover');
  await expect(page.getByText('Cleo').first()).toBeVisible();
  await page.goto('/');
  await expect(page.getByTestId('top-card')).toContainText('Cleo');
  await page.getByRole('button', { name: 'Like', exact: true }).click();
  await expect(page.getByTestId('top-card')).toHaveCount(0);
  // The card leaves before its transaction ends, and closing the page at once would abort the transaction.
  await expect.poll(() => page.evaluate(countQueuedLikes, ann.id)).toBe(1);
  await page.reload();
  await expect(page.getByText('No More Matches')).toBeVisible();

  await ownServer.start();
  await expect
    .poll(
      async () =>
        (
          await ownServer.query('SELECT 1 FROM user_likes WHERE from_user_id = $1 AND to_user_id = $2', [
            ann.id,
            cleo.id,
          ])
        ).length,
      afterRestart,
    )
    .toBe(1);
  await Promise.all([a.close(), b.close(), c.close()]);
});
