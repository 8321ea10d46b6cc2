/**
 * Evicts data when the device is full: only data that can be fetched again, large and little used data first. The
 * member's unsent data (outbox, drafts, waiting messages) is never evicted.
 */
import { DAY_MS } from '@/base/format.ts';
import { MemberError } from '../../api/errors.ts';
import { adoptProfileFiles } from './adoptProfileFiles.ts';
import type { HeartwardDb } from './db.ts';
import { deleteFileCaches } from './fileCaches.ts';
import { deleteFiles } from './fileRows.ts';
import { retryAfterReturn } from './pageCache.ts';
import { type BlobRow, type FileRow, type OutboxRow, WAITING_ORDER } from './rows.ts';

const MAX_MESSAGES = 500;
const MAX_MESSAGES_WHEN_FULL = 50;
const FEED_MAX_AGE_MS = 30 * DAY_MS;

/** Returns the messages of a conversation with a seq below `below`; without it all but the waiting ones. */
export const storedMessages = (db: HeartwardDb, conversationId: string, below = WAITING_ORDER) =>
  db.messages
    .where('[conversationId+order]')
    .between([conversationId, 0], [conversationId, below], true, false);

/**
 * Deletes old data at the start: all but the last 500 messages of each conversation and 30 days of feed, profiles and posts,
 * files without a message or row, and rejected messages that another device has sent again.
 */
export async function prune(db: HeartwardDb, now = Date.now()): Promise<void> {
  for (const table of [db.feed, db.profiles, db.posts]) {
    await table
      .where('fetchedAt')
      .below(now - FEED_MAX_AGE_MS)
      .delete();
  }
  await trimThreads(db, MAX_MESSAGES);
  await deleteOrphanedFiles(db);
  await adoptProfileFiles(db);
  await deleteResent(db);
}

/**
 * Deletes rejected messages that another device of the member has sent again, with their files. Two devices have the same
 * rejected message after a restore of the server's database.
 */
async function deleteResent(db: HeartwardDb): Promise<void> {
  await db.transaction('rw', [db.files, db.blobs, db.messages, db.outbox], async () => {
    for (const row of await db.outbox.filter(({ state }) => state === 'failed').toArray()) {
      const message = row.kind === 'message' ? await db.messages.get([row.userId, row.clientId]) : undefined;
      if (message?.state !== 'stored') continue;
      await deleteFiles(db, db.files.where('id').anyOf(localIdsOf(row)));
      await db.outbox.delete(row.clientId);
    }
  });
}

/** Returns the ids in `files` of a row's attachments. */
const localIdsOf = ({ body }: OutboxRow): string[] =>
  body.kind === 'message' ? (body.attachments ?? []).map(({ localId }) => localId) : [];

/** Deletes files without a message on this device, and bytes without a file. */
async function deleteOrphanedFiles(db: HeartwardDb): Promise<void> {
  await db.transaction('rw', [db.files, db.blobs, db.messages, db.outbox], async () => {
    if ((await db.blobs.count()) + (await db.files.count()) === 0) return;
    const referenced = new Set<string>();
    await db.messages.each(({ attachments }) => {
      for (const { id } of attachments) referenced.add(id);
    });
    await deleteFiles(
      db,
      db.files.filter(({ id, keep }) => keep !== 'unsent' && !referenced.has(id)),
    );
    await adoptUnsentFiles(db);
    const blobIds = (await db.files.toArray()).map(({ blobId }) => blobId);
    await db.blobs.where('id').noneOf(blobIds).delete();
  });
}

/** A row of `blobs` that a version of the app before `files` has stored. */
type OldBlobRow = BlobRow & Omit<FileRow, 'blobId'>;

/**
 * Adds the row in `files` of what an older version of the app has stored unsent, as when a server went back to it for a
 * while: that version opens the newer database, and writes it as its own.
 */
async function adoptUnsentFiles(db: HeartwardDb): Promise<void> {
  const waiting = (await db.outbox.toArray()).flatMap(localIdsOf);
  for (const row of await db.blobs.where('id').anyOf(waiting).toArray()) {
    const { blob: _, poster: __, ...file } = row as OldBlobRow;
    const isOld = file.keep === 'unsent' && !(await db.files.get(row.id));
    if (isOld) await db.files.add({ ...file, blobId: row.id });
  }
}

async function trimThreads(db: HeartwardDb, count: number): Promise<void> {
  for (const thread of await db.threads.toArray()) {
    const firstSeq = thread.lastSeq - count + 1;
    if (thread.firstSeq >= firstSeq) continue;
    await db.transaction('rw', db.messages, db.threads, async () => {
      await storedMessages(db, thread.conversationId, firstSeq).delete();
      await db.threads.update(thread.conversationId, { firstSeq });
    });
  }
}

/** Nothing more can be evicted, so what the member wants to keep does not fit. */
export class DeviceFull extends MemberError {
  override readonly name = 'DeviceFull';

  constructor(cause: unknown) {
    super('This device is full. Free some space and try again.', { cause });
  }
}

/**
 * Runs work that writes to the database. Repeats it after each eviction while the device is full, and when the page has
 * returned from the back/forward cache, which aborts transactions. Throws DeviceFull if nothing is left to evict.
 */
export async function withQuotaRetry<T>(db: HeartwardDb, work: () => Promise<T>): Promise<T> {
  const remaining = [...evictions];
  for (;;) {
    try {
      return await retryAfterReturn(work);
    } catch (error) {
      if (!isQuotaError(error)) throw error;
      console.warn('The device is full; evicting data', error);
      if (!(await evictNext(db, remaining))) throw new DeviceFull(error);
    }
  }
}

/** Runs evictions until one may have freed space. Returns false if none has. */
async function evictNext(db: HeartwardDb, remaining: Eviction[]): Promise<boolean> {
  for (let evict = remaining.shift(); evict; evict = remaining.shift()) if (await evict(db)) return true;
  return false;
}

/** Whether an error is the browser's quota error, which Dexie and a failed transaction wrap. */
function isQuotaError(error: unknown): boolean {
  if (!(error instanceof Error || error instanceof DOMException)) return false;
  if (error.name === 'QuotaExceededError') return true;
  return 'inner' in error && isQuotaError(error.inner);
}

/** Deletes one kind of data. Returns false if there was certainly none. */
type Eviction = (db: HeartwardDb) => Promise<boolean>;

const deleteDownloadedFiles = (db: HeartwardDb) => deleteKept(db, 'heard');
const deleteSentFiles = (db: HeartwardDb) => deleteKept(db, 'sent');

const evictions: Eviction[] = [
  deleteDownloadedFiles,
  deleteSentFiles,
  () => deleteFileCaches(),
  deleteFeedAndProfiles,
  trimThreadsWhenFull,
];

/** Deletes files that the server has too. */
async function deleteKept(db: HeartwardDb, keep: 'heard' | 'sent'): Promise<boolean> {
  return (
    (await deleteFiles(
      db,
      db.files.filter((row) => row.keep === keep),
    )) > 0
  );
}

/** Deletes the older half of the feed, and every stored profile and post. */
async function deleteFeedAndProfiles(db: HeartwardDb): Promise<boolean> {
  const oldest = await db.feed
    .orderBy('fetchedAt')
    .limit(Math.ceil((await db.feed.count()) / 2))
    .primaryKeys();
  await db.feed.bulkDelete(oldest);
  await db.profiles.clear();
  await db.posts.clear();
  return true;
}

async function trimThreadsWhenFull(db: HeartwardDb): Promise<boolean> {
  await trimThreads(db, MAX_MESSAGES_WHEN_FULL);
  return true;
}
