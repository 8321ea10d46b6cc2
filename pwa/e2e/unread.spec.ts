import type { Page } from '@playwright/test';
import { join, match } from './support/phones.ts';
import type { Server } from './support/server.ts';
import { expect, test } from './support/test.ts';
import { allRead, bubble, scrollUntil, thread, writeMany } from './support/thread.ts';

/** The first so many messages were read, nothing after them. */
async function readUpTo(server: Server, member: string, seq: number): Promise<void> {
  await allRead(server, member);
  await server.query(
    `UPDATE conversations SET
       a_read_seq = CASE user_a WHEN $1::uuid THEN $2::int ELSE a_read_seq END,
       b_read_seq = CASE user_b WHEN $1::uuid THEN $2::int ELSE b_read_seq END
     WHERE $1 IN (user_a, user_b)`,
    [member, seq],
  );
}

const divider = (page: Page) => thread(page).getByText('New messages', { exact: true });

/** In the page: the oldest message that the device holds of its one conversation. */
async function heldFrom(memberId: string): Promise<number> {
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const db = await done(indexedDB.open(`heartward-${memberId}`));
  const [held] = await done(db.transaction('threads').objectStore('threads').getAll(null, 1));
  db.close();
  return held?.firstSeq ?? 0;
}

test('a conversation with more new messages than the device holds opens at the first of them', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Unread');
  const ben = await join(phoneB, server, 'Ben Unread');
  await match(phoneA, ann, phoneB, ben);
  await writeMany(server, ann.id, ben.id, 300);
  await readUpTo(server, ann.id, 101);
  const page = await phoneA.newPage();
  await page.goto(`/messages/${ben.id}`);
  await expect(divider(page)).toBeInViewport();
  // Even numbers are Ben's.
  await expect(bubble(page, 'message 102')).toBeInViewport();
  await expect(bubble(page, 'message 300')).not.toBeInViewport();
});

test('without a network the thread says that new messages are missing, and they come when it is back', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Far');
  const ben = await join(phoneB, server, 'Ben Far');
  await match(phoneA, ann, phoneB, ben);
  await writeMany(server, ann.id, ben.id, 300);
  await readUpTo(server, ann.id, 101);
  const page = await phoneA.newPage();
  // The list brings the newest page alone.
  await page.goto('/messages');
  const row = page.getByRole('link', { name: /message 300/ });
  await expect(row).toBeVisible();
  await expect.poll(() => page.evaluate(heldFrom, ann.id)).toBe(251);
  await phoneA.setOffline(true);
  await row.click();
  await expect(page.getByText("149 earlier new messages will come when you're online.")).toBeInViewport();
  await expect(divider(page)).toBeInViewport();
  await phoneA.setOffline(false);
  await expect(page.getByText(/earlier new messages/)).toHaveCount(0);
});

test('what plays in a message goes on while it is scrolled out of sight', async ({
  phoneA,
  phoneB,
  server,
}) => {
  const ann = await join(phoneA, server, 'Ann Play');
  const ben = await join(phoneB, server, 'Ben Play');
  await match(phoneA, ann, phoneB, ben);
  await writeMany(server, ann.id, ben.id, 300);
  await allRead(server, ann.id);
  const page = await phoneA.newPage();
  await page.goto(`/messages/${ben.id}`);
  await expect(bubble(page, 'message 300')).toBeInViewport();
  // Stands for a voice of any length: a sound without an end, in a bubble.
  await page.evaluate(async () => {
    const sound = new Audio();
    sound.srcObject = new AudioContext().createMediaStreamDestination().stream;
    sound.muted = true;
    sound.dataset.testid = 'sound';
    document.querySelector('[data-seq="300"]')?.append(sound);
    await sound.play();
  });
  // Rows that are out of sight are removed, except the one that plays.
  await scrollUntil(thread(page), -2000, async () => (await bubble(page, 'message 299').count()) === 0);
  const sound = page.getByTestId('sound');
  expect(await sound.evaluate((element) => (element as HTMLAudioElement).paused)).toBe(false);
  await sound.evaluate((element) => (element as HTMLAudioElement).pause());
  await expect(sound, 'until it ends').toHaveCount(0);
});
