import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test';
import { join, match } from './phones.ts';
import type { Server } from './server.ts';
import { bubble, insertMessages, markAllRead } from './thread.ts';

/** The page with a conversation of `count` messages, all read and all on the device, scrolled to the first of them. */
export async function openLongThread(
  phoneA: BrowserContext,
  phoneB: BrowserContext,
  server: Server,
  count: number,
): Promise<Page> {
  const ann = await join(phoneA, server, 'Ann Long');
  const ben = await join(phoneB, server, 'Ben Long');
  await match(phoneA, ann, phoneB, ben);
  await insertMessages(server, ann.id, ben.id, count);
  await markAllRead(server, ann.id);
  const page = await phoneA.newPage();
  await page.goto(`/messages/${ben.id}`);
  await expect(bubble(page, `message ${count}`)).toBeInViewport();
  // The app trims the device's data once after its start, so the messages are stored after that.
  await page.goto('/manifest.webmanifest');
  await page.evaluate(storeOrphanedFile, ann.id);
  await page.goto(`/messages/${ben.id}`);
  await expect(bubble(page, `message ${count}`)).toBeInViewport();
  await expect(async () => expect(await page.evaluate(countFiles, ann.id)).toBe(0)).toPass();
  await page.evaluate(storeAll, ann.id);
  await page.evaluate(navigate, '?at=1');
  await expect(bubble(page, 'message 1'), 'every message is on the device').toBeInViewport();
  return page;
}

/** Jumps from the thread's first message to the newest and goes back to the list; returns the list's link to it. */
export async function returnToList(page: Page, count: number): Promise<Locator> {
  await page.getByRole('button', { name: /jump to the newest/i }).click();
  return leaveThread(page, count);
}

/** Goes back from the thread's newest message to the list; returns the list's link to it. */
export async function leaveThread(page: Page, count: number): Promise<Locator> {
  await expect(bubble(page, `message ${count}`)).toBeInViewport();
  await page.getByRole('link', { name: 'Back to messages' }).click();
  const link = page.getByRole('link', { name: new RegExp(`message ${count}`) });
  await expect(link).toBeVisible();
  return link;
}

/** In the page: stores a file without a message, which the app deletes when it has trimmed the conversations. */
async function storeOrphanedFile(memberId: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const request = indexedDB.open(`heartward-${memberId}`);
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const transaction = request.result.transaction(['files', 'blobs'], 'readwrite');
      transaction
        .objectStore('files')
        .put({ id: 'orphan', blobId: 'orphan', conversationId: 'none', usedAt: 0, keep: 'heard', bytes: 0 });
      transaction.objectStore('blobs').put({ id: 'orphan', blob: new Blob(), poster: null });
      transaction.oncomplete = () => {
        request.result.close();
        resolve();
      };
    };
  });
}

/** In the page: returns the number of stored files. */
function countFiles(memberId: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(`heartward-${memberId}`);
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const count = request.result.transaction('blobs').objectStore('blobs').count();
      count.onsuccess = () => {
        request.result.close();
        resolve(count.result);
      };
    };
  });
}

/**
 * In the page: stores every message of its one conversation on the device, as if the member had scrolled through all
 * of it. (To scroll back through ten thousand messages takes two hundred requests.)
 */
async function storeAll(memberId: string): Promise<void> {
  const resultOf = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const db = await resultOf(indexedDB.open(`heartward-${memberId}`));
  const transaction = db.transaction(['messages', 'threads'], 'readwrite');
  const [messages, threads] = ['messages', 'threads'].map((name) => transaction.objectStore(name));
  if (!messages || !threads) throw new Error('no such tables');
  const rows = await resultOf(messages.getAll());
  const row = rows.find(({ senderId }) => senderId === memberId);
  const [stored] = await resultOf(threads.getAll(null, 1));
  for (let seq = 1; seq < stored.firstSeq; seq += 1) {
    const content = `message ${seq}`;
    messages.put({ ...row, id: `id ${seq}`, clientId: `client ${seq}`, seq, order: seq, content });
  }
  threads.put({ ...stored, firstSeq: 1 });
  await new Promise((resolve) => {
    transaction.oncomplete = resolve;
  });
  db.close();
  // Makes the app read the tables again: it does not see what others than its own database object write.
  dispatchEvent(new Event('pageshow'));
}

/** In the page: navigates as a search result does, without loading the app anew, which would trim the device's data. */
function navigate(search: string): void {
  const state = { usr: null, key: `to ${search}`, idx: history.state.idx + 1 };
  history.pushState(state, '', location.pathname + search);
  dispatchEvent(new PopStateEvent('popstate', { state }));
}
