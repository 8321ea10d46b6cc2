import 'fake-indexeddb/auto';
import { liveQuery } from 'dexie';
import { beforeEach, expect, it, vi } from 'vitest';
import { drain } from '../outbox/drain.ts';
import { enqueue, startOutbox } from '../outbox/outbox.ts';
import { CONVERSATION, drainEnv, FakeServer, freshDb, ME, PEER } from '../testkit.ts';
import type { HeartwardDb } from './db.ts';
import { pageIndexedDb } from './pageCache.ts';

let db: HeartwardDb;

beforeEach(async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  db = await freshDb();
  return () => vi.unstubAllGlobals();
});

const cacheEvent = (type: 'pagehide' | 'pageshow') =>
  dispatchEvent(Object.assign(new Event(type), { persisted: true }));

/** Reads the outbox as another page does, which waits for every transaction of this page. */
async function readInNextPage(): Promise<unknown[]> {
  const next = await new Promise<IDBDatabase>((resolve, reject) => {
    const openRequest = indexedDB.open(db.name);
    openRequest.onsuccess = () => resolve(openRequest.result);
    openRequest.onerror = () => reject(openRequest.error);
  });
  const rows = await new Promise<unknown[]>((resolve, reject) => {
    const getAllRequest = next.transaction('outbox', 'readwrite').objectStore('outbox').getAll();
    getAllRequest.onsuccess = () => resolve(getAllRequest.result);
    getAllRequest.onerror = () => reject(getAllRequest.error);
  });
  next.close();
  return rows;
}

const send = (content: string) =>
  enqueue(db, { kind: 'message', conversationId: CONVERSATION, recipientId: PEER, content });

it('aborts its transactions when the page enters the back/forward cache, and starts none there', async () => {
  const transaction = db.transaction('rw', db.meta, async () => {
    await db.meta.put({ key: 'datesPlanned', value: 1 });
    // Never ends, as in a frozen page.
    for (;;) await db.meta.get('datesPlanned');
  });
  const aborted = expect(transaction).rejects.toThrow();
  await db.meta.count();
  cacheEvent('pagehide');
  await aborted;
  await expect(db.meta.put({ key: 'push:badge', value: 1 })).rejects.toThrow();
  expect(await readInNextPage()).toEqual([]);

  cacheEvent('pageshow');
  expect(await db.meta.toArray(), 'nothing of the aborted transaction is stored').toEqual([]);
});

it('stores a message whose transaction was aborted once the page is back, and not before', async () => {
  let stored = false;
  const sending = send('hello').then(() => {
    stored = true;
  });
  cacheEvent('pagehide');
  expect(await readInNextPage()).toEqual([]);
  expect(stored, 'not resolved, so the composer keeps the text').toBe(false);
  cacheEvent('pageshow');
  await sending;
  expect(await db.messages.toArray()).toMatchObject([{ content: 'hello', state: 'waiting' }]);
  expect(await db.outbox.count()).toBe(1);
});

it('the next page stores an interrupted message of the previous page exactly once', async () => {
  const sending = send('hello');
  dispatchEvent(Object.assign(new Event('pagehide'), { persisted: true }));
  const interrupted = localStorage.getItem('hw.storing') ?? '';
  cacheEvent('pageshow');
  await sending;
  // Restores the state that the next page finds: the message in localStorage, and no rows.
  await db.messages.clear();
  await db.outbox.clear();
  localStorage.setItem('hw.storing', interrupted);
  const stop = startOutbox(db);
  await vi.waitFor(async () => expect(await db.messages.count()).toBe(1));
  stop();
  expect(await db.messages.toArray()).toMatchObject([{ content: 'hello', state: 'waiting' }]);
  await vi.waitFor(() => expect(localStorage.getItem('hw.storing')).toBeNull());

  localStorage.setItem('hw.storing', interrupted);
  await db.outbox.clear();
  const stopAgain = startOutbox(db);
  await vi.waitFor(() => expect(localStorage.getItem('hw.storing')).toBeNull());
  stopAgain();
  expect([await db.messages.count(), await db.outbox.count()], 'sent meanwhile').toEqual([1, 0]);
});

it('the server stores a message once although its acknowledgement could not be stored on the device', async () => {
  const server = new FakeServer();
  await send('hello');
  const { env, results } = drainEnv(db, server);
  server.intercept = (_, count) => {
    // The server has stored the message; the page enters the cache before it can store the acknowledgement.
    if (count === 1) cacheEvent('pagehide');
    return undefined;
  };
  await expect(drain(env, true)).rejects.toThrow();
  expect(results).toEqual([]);
  cacheEvent('pageshow');
  expect(await db.outbox.toArray()).toMatchObject([{ state: 'sending' }]);
  await drain(env, true);
  expect(server.requests).toHaveLength(2);
  expect(server.stored).toHaveLength(1);
  expect(await db.outbox.count()).toBe(0);
  expect(await db.messages.toArray()).toMatchObject([{ senderId: ME, content: 'hello', state: 'stored' }]);
});

it('a live query emits the changes of another page on return, and no empty result before', async () => {
  await db.meta.put({ key: 'datesPlanned', value: 1 });
  const emitted: (number | undefined)[] = [];
  const subscription = liveQuery(() => db.meta.count()).subscribe((count) => emitted.push(count));
  await vi.waitFor(() => expect(emitted).toEqual([1]));
  cacheEvent('pagehide');
  const other = await new Promise<IDBDatabase>((resolve) => {
    const openRequest = indexedDB.open(db.name);
    openRequest.onsuccess = () => resolve(openRequest.result);
  });
  await new Promise((resolve) => {
    const transaction = other.transaction('meta', 'readwrite');
    transaction.objectStore('meta').put({ key: 'b', value: 2 });
    transaction.oncomplete = resolve;
  });
  other.close();
  cacheEvent('pageshow');
  await vi.waitFor(() => expect(emitted).toEqual([1, 2]));
  subscription.unsubscribe();
});

it('does not open a database again that another tab has deleted meanwhile', async () => {
  await db.meta.count();
  cacheEvent('pagehide');
  await new Promise((resolve) => {
    indexedDB.deleteDatabase(db.name).onsuccess = resolve;
  });
  localStorage.clear();
  cacheEvent('pageshow');
  await expect(db.meta.count()).rejects.toThrow();
  expect(await indexedDB.databases()).toEqual([]);
});

it('evicts cached pages only if a request to open the database gets no answer', async () => {
  const sent: string[] = [];
  const post = vi.spyOn(BroadcastChannel.prototype, 'postMessage').mockImplementation(function (
    this: BroadcastChannel,
  ) {
    sent.push(this.name);
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const open = vi.spyOn(indexedDB, 'open').mockImplementation(() => new EventTarget() as IDBOpenDBRequest);
  try {
    const answered = pageIndexedDb.open('one');
    answered.dispatchEvent(new Event('upgradeneeded'));
    vi.advanceTimersByTime(5000);
    expect(sent).toEqual([]);

    pageIndexedDb.open('one');
    vi.advanceTimersByTime(5000);
    expect(sent).toEqual(['hw-evict-cached-pages']);
  } finally {
    vi.useRealTimers();
    open.mockRestore();
    post.mockRestore();
  }
});
