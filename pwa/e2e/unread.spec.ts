import type { Page } from '@playwright/test';
import { join, match, pair } from './support/phones.ts';
import type { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';
import { bubble, insertMessages, markAllRead, scrollUntil, thread } from './support/thread.ts';

/** Marks the messages up to `seq` as read by the member, and all as read by the other side. */
async function markReadUpTo(server: Server, member: string, seq: number): Promise<void> {
  await markAllRead(server, member);
  await server.query(
    `UPDATE conversations SET
       a_read_seq = CASE user_a WHEN $1::uuid THEN $2::int ELSE a_read_seq END,
       b_read_seq = CASE user_b WHEN $1::uuid THEN $2::int ELSE b_read_seq END
     WHERE $1 IN (user_a, user_b)`,
    [member, seq],
  );
}

const divider = (page: Page) => thread(page).getByText('New messages', { exact: true });

/** In the page: returns the seq of the oldest message on the device, which has one conversation. */
async function oldestStoredSeq(memberId: string): Promise<number> {
  const resultOf = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const db = await resultOf(indexedDB.open(`heartward-${memberId}`));
  const [stored] = await resultOf(db.transaction('threads').objectStore('threads').getAll(null, 1));
  db.close();
  return stored?.firstSeq ?? 0;
}

test('a conversation with more unread messages than are on the device opens at the first of them', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Unread');
  const ben = await join(phoneB, server, 'Ben Unread');
  await match(phoneA, ann, phoneB, ben);
  await insertMessages(server, ann.id, ben.id, 300);
  await markReadUpTo(server, ann.id, 101);
  const page = await phoneA.newPage();
  await page.goto(`/messages/${ben.id}`);
  await expect(divider(page)).toBeInViewport();
  // Ben wrote the even numbers.
  await expect(bubble(page, 'message 102')).toBeInViewport();
  await expect(bubble(page, 'message 300')).not.toBeInViewport();
});

test('offline the thread says that new messages are missing, and shows them after reconnecting', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Far');
  const ben = await join(phoneB, server, 'Ben Far');
  await match(phoneA, ann, phoneB, ben);
  await insertMessages(server, ann.id, ben.id, 300);
  await markReadUpTo(server, ann.id, 101);
  const page = await phoneA.newPage();
  // The list fetches the newest page only.
  await page.goto('/messages');
  const row = page.getByRole('link', { name: /message 300/ });
  await expect(row).toBeVisible();
  await expect.poll(() => page.evaluate(oldestStoredSeq, ann.id)).toBe(251);
  await phoneA.setOffline(true);
  await row.click();
  await expect(page.getByText("149 earlier new messages will come when you're online.")).toBeInViewport();
  await expect(divider(page)).toBeInViewport();
  await phoneA.setOffline(false);
  await expect(page.getByText(/earlier new messages/)).toHaveCount(0);
});

test('a voice message continues to play when it is scrolled out of view', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Play');
  const ben = await join(phoneB, server, 'Ben Play');
  await match(phoneA, ann, phoneB, ben);
  await insertMessages(server, ann.id, ben.id, 300);
  await markAllRead(server, ann.id);
  const page = await phoneA.newPage();
  await page.goto(`/messages/${ben.id}`);
  await expect(bubble(page, 'message 300')).toBeInViewport();
  // An endless sound in a bubble, in place of a long voice message.
  await page.evaluate(async () => {
    const sound = new Audio();
    sound.srcObject = new AudioContext().createMediaStreamDestination().stream;
    sound.muted = true;
    sound.dataset.testid = 'sound';
    document.querySelector('[data-seq="300"]')?.append(sound);
    await sound.play();
  });
  // Rows out of view are removed from the document, except the one that plays.
  await scrollUntil(thread(page), -2000, async () => (await bubble(page, 'message 299').count()) === 0);
  const sound = page.getByTestId('sound');
  expect(await sound.evaluate((element) => (element as HTMLAudioElement).paused)).toBe(false);
  await sound.evaluate((element) => (element as HTMLAudioElement).pause());
  await expect(sound, 'until it ends').toHaveCount(0);
});

test('with text of double size the bottom bar grows and clips nothing, also with a count', async ({
  browser,
  server,
}) => {
  const { a } = await pair(browser, server, { workerOn: 'neither' });
  const page = await a.newPage();
  await page.goto('/profile');
  const bar = page.getByRole('navigation', { name: 'Main' });
  await expect(bar.getByRole('link', { name: '1 new' })).toBeVisible();
  const label = bar.getByText('Messages');
  const size = () => label.evaluate((span) => Number.parseFloat(getComputedStyle(span).fontSize));
  await expect(label).toBeVisible();
  const before = await size();
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  expect(await size()).toBeGreaterThan(before);
  // As far as the longest word has room: it fills its fifth of the bar, except a small margin.
  const filled = await label.evaluate((span) => {
    const range = document.createRange();
    range.selectNodeContents(span.firstChild ?? span);
    return range.getBoundingClientRect().width / (span.closest('a')?.clientWidth ?? 0);
  });
  expect(filled).toBeGreaterThan(0.8);
  const clipped = await bar.evaluate((nav) => {
    const { bottom, top } = nav.getBoundingClientRect();
    return [...nav.querySelectorAll('a')]
      .filter((link) => {
        const spans = [...link.querySelectorAll(':scope > span')].map((span) => span.getBoundingClientRect());
        return (
          link.scrollWidth > link.clientWidth ||
          spans.some((box) => box.top < top - 1 || box.bottom > bottom + 1 || box.right > innerWidth + 1)
        );
      })
      .map((link) => link.textContent);
  });
  expect(clipped).toEqual([]);
});
