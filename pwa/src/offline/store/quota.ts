/**
 * When the device is full. What can be fetched again makes room, the heaviest and the least missed first; what
 * the member wrote (outbox, drafts, waiting messages) never goes.
 */
import type { HeartwardDb } from './db.ts';
import { deleteFileCaches } from './fileCaches.ts';
import { retryAfterReturn } from './pageCache.ts';
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
  await dropOrphans(db);
  await dropAnswered(db);
}

/** Refused messages that another device of the member has sent since. */
async function dropAnswered(db: HeartwardDb): Promise<void> {
  for (const { userId, clientId, kind } of await db.outbox
    .filter(({ state }) => state === 'failed')
    .toArray()) {
    const message = kind === 'message' && (await db.messages.get([userId, clientId]));
    if (message && message.state === 'stored') await db.outbox.delete(clientId);
  }
}

/** Files whose message was deleted, or is too old to be on this device. */
async function dropOrphans(db: HeartwardDb): Promise<void> {
  await db.transaction('rw', db.blobs, db.messages, async () => {
    if ((await db.blobs.count()) === 0) return;
    const wanted = new Set<string>();
    await db.messages.each(({ attachments }) => {
      for (const { id } of attachments) wanted.add(id);
    });
    await db.blobs.filter(({ id, keep }) => keep !== 'unsent' && !wanted.has(id)).delete();
  });
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

/**
 * Runs work that stores something: again each time room was made on a full device, and when the page has returned
 * from the back/forward cache, which aborts what was under way.
 */
export async function withQuotaRetry<T>(db: HeartwardDb, work: () => Promise<T>): Promise<T> {
  const left = [...evictions];
  for (;;) {
    try {
      return await retryAfterReturn(work);
    } catch (error) {
      if (!isFull(error)) throw error;
      console.warn('The device is full; making room', error);
      if (!(await makeRoom(db, left))) throw error;
    }
  }
}

/** Takes the next step of those left that finds something to give up; false when there is none. */
async function makeRoom(db: HeartwardDb, left: Eviction[]): Promise<boolean> {
  for (let evict = left.shift(); evict; evict = left.shift()) if (await evict(db)) return true;
  return false;
}

/** Dexie wraps the browser's error, a failed transaction wraps that once more. */
function isFull(error: unknown): boolean {
  if (!(error instanceof Error || error instanceof DOMException)) return false;
  if (error.name === 'QuotaExceededError') return true;
  return 'inner' in error && isFull(error.inner);
}

/** Gives something up; false when there was nothing of it. */
type Eviction = (db: HeartwardDb) => Promise<boolean>;

const dropHeard = (db: HeartwardDb) => dropFiles(db, 'heard');
const dropSent = (db: HeartwardDb) => dropFiles(db, 'sent');

const evictions: Eviction[] = [dropHeard, dropSent, () => deleteFileCaches(), dropPeople, shortenThreads];

/** Files that the server has too. */
async function dropFiles(db: HeartwardDb, keep: 'heard' | 'sent'): Promise<boolean> {
  return (await db.blobs.filter((row) => row.keep === keep).delete()) > 0;
}

/** The feed's older half and every profile kept for reading. */
async function dropPeople(db: HeartwardDb): Promise<boolean> {
  const oldest = await db.feed
    .orderBy('fetchedAt')
    .limit(Math.ceil((await db.feed.count()) / 2))
    .primaryKeys();
  await db.feed.bulkDelete(oldest);
  await db.profiles.clear();
  return true;
}

async function shortenThreads(db: HeartwardDb): Promise<boolean> {
  await keepNewest(db, KEEP_MESSAGES_WHEN_FULL);
  return true;
}
