/**
 * When the device is full. What can be fetched again makes room, the heaviest and the least missed first; what
 * the member wrote (outbox, drafts, waiting messages) never goes.
 */
import type { HeartwardDb } from './db.ts';
import { FILE_CACHE_PREFIX } from './names.ts';
import { WAITING_ORDER } from './rows.ts';

const KEEP_MESSAGES = 500;
const KEEP_MESSAGES_WHEN_FULL = 50;
const KEEP_FEED_MS = 30 * 86_400_000;

/** The numbered messages of a conversation below a number; those that wait to be sent stand behind all of them. */
export const storedOf = (db: HeartwardDb, conversationId: string, below = WAITING_ORDER) =>
  db.messages
    .where('[conversationId+order]')
    .between([conversationId, 0], [conversationId, below], true, false);

/** Keeps the last 500 messages of a conversation and 30 days of feed; outbox and drafts never go. */
export async function prune(db: HeartwardDb, now = Date.now()): Promise<void> {
  for (const table of [db.feed, db.profiles]) {
    await table
      .where('fetchedAt')
      .below(now - KEEP_FEED_MS)
      .delete();
  }
  await keepNewest(db, KEEP_MESSAGES);
}

async function keepNewest(db: HeartwardDb, count: number): Promise<void> {
  for (const thread of await db.threads.toArray()) {
    const firstSeq = thread.lastSeq - count + 1;
    if (thread.firstSeq >= firstSeq) continue;
    await db.transaction('rw', db.messages, db.threads, async () => {
      await storedOf(db, thread.conversationId, firstSeq).delete();
      await db.threads.update(thread.conversationId, { firstSeq });
    });
  }
}

/** Runs work that stores what the server said; each time the device is full, room is made and it runs again. */
export async function withRoom<T>(db: HeartwardDb, work: () => Promise<T>): Promise<T> {
  for (const evict of evictions) {
    try {
      return await work();
    } catch (error) {
      if (!isFull(error)) throw error;
      console.warn('The device is full; making room', error);
      await evict(db);
    }
  }
  return work();
}

/** Dexie wraps the browser's error, a failed transaction wraps that once more. */
function isFull(error: unknown): boolean {
  if (!(error instanceof Error || error instanceof DOMException)) return false;
  if (error.name === 'QuotaExceededError') return true;
  return 'inner' in error && isFull(error.inner);
}

const evictions: ((db: HeartwardDb) => Promise<void>)[] = [dropPhotos, dropPeople, shortenThreads];

async function dropPhotos(): Promise<void> {
  if (!('caches' in globalThis)) return;
  const names = (await caches.keys()).filter((name) => name.startsWith(FILE_CACHE_PREFIX));
  await Promise.all(names.map((name) => caches.delete(name)));
}

/** The feed's older half and every profile kept for reading. */
async function dropPeople(db: HeartwardDb): Promise<void> {
  const oldest = await db.feed
    .orderBy('fetchedAt')
    .limit(Math.ceil((await db.feed.count()) / 2))
    .primaryKeys();
  await db.feed.bulkDelete(oldest);
  await db.profiles.clear();
}

function shortenThreads(db: HeartwardDb): Promise<void> {
  return keepNewest(db, KEEP_MESSAGES_WHEN_FULL);
}
