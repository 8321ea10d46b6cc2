/**
 * The chunks of recordings, stored every second, so that a crash loses at most one. They are deleted when the recording
 * is discarded, or sent, in the transaction that enqueues its message.
 */
import { part } from '@/base/pageSession.ts';
import { chunksOf, deleteRecording } from './chunks.ts';
import type { HeartwardDb } from './db.ts';
import { getMeta, setMeta } from './meta.ts';
import { withQuotaRetry } from './quota.ts';
import type { ChunkRow } from './rows.ts';

const lockName = (recordingId: string) => `hw-recording-${recordingId}`;

/** Stores the chunks of one recording. */
export type ChunkStore = {
  recordingId: string;
  add: (chunk: Omit<ChunkRow, 'recordingId' | 'conversationId'>) => Promise<void>;
  /** Ends the recorder's lock. While it is held, no tab offers the chunks as an unsent recording. */
  release: () => void;
  remove: () => Promise<void>;
};

export function createChunkStore(db: HeartwardDb, conversationId: string, recordingId: string): ChunkStore {
  const release = acquireLock(db, recordingId);
  let removed = false;
  let last: Promise<unknown> = Promise.resolve();
  const runInOrder = (work: () => Promise<unknown>) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  return {
    recordingId,
    release,
    add: async (chunk) => {
      const row = { ...chunk, recordingId, conversationId };
      await runInOrder(async () => removed || withQuotaRetry(db, () => storeChunk(db, row)));
    },
    remove: async () => {
      removed = true;
      await runInOrder(() => deleteRecording(db, recordingId));
    },
  };
}

async function storeChunk(db: HeartwardDb, row: ChunkRow): Promise<void> {
  await db.transaction('rw', db.chunks, db.conversations, async () => {
    // The contact may have ended during the recording.
    if (await db.conversations.get(row.conversationId)) await db.chunks.put(row);
  });
}

/** The state of this tab's locks by recording. The browser may list a released lock a moment longer. */
const ownLocksOf = part(() => new Map<string, 'held' | 'released'>());

/**
 * Acquires the lock of a recording for this tab; it also ends when the tab closes or crashes. Returns a function that
 * releases it.
 */
function acquireLock(db: HeartwardDb, recordingId: string): () => void {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const ownLocks = ownLocksOf(db);
  ownLocks.set(recordingId, 'held');
  void navigator.locks?.request(lockName(recordingId), () => released).then(() => notifyReleased(db));
  return () => {
    ownLocks.set(recordingId, 'released');
    release();
  };
}

/**
 * Runs work on a stored recording, under its lock. Returns false if another tap or tab has the lock. Does not call work
 * if the recording was sent or discarded meanwhile.
 */
export async function withRecordingLock(
  db: HeartwardDb,
  recordingId: string,
  work: (chunks: ChunkRow[]) => Promise<void>,
): Promise<boolean> {
  const run = async () => {
    const chunks = await chunksOfRecording(db, recordingId);
    if (chunks.length > 0) await work(chunks);
    return true;
  };
  if (!navigator.locks) return run();
  try {
    return await navigator.locks.request(lockName(recordingId), { ifAvailable: true }, async (lock) =>
      lock ? run() : false,
    );
  } finally {
    await notifyReleased(db);
  }
}

/** Writes a row after a release, so that the live queries of every tab list the unsent recordings again. */
async function notifyReleased(db: HeartwardDb): Promise<void> {
  try {
    await setMeta(db, 'recordings:releasedAt', Date.now());
  } catch {
    // Signed out, or the device is full. The recording is then offered when the conversation is opened again.
  }
}

/** A recording that was neither sent nor discarded. */
export type StoredRecording = { recordingId: string; kind: ChunkRow['kind']; elapsedMs: number };

/** Returns the unsent recordings of a conversation that no recorder has locked, the newest first. */
export async function listUnsentRecordings(
  db: HeartwardDb,
  conversationId: string,
): Promise<StoredRecording[]> {
  const found = new Map<string, StoredRecording>();
  await getMeta(db, 'recordings:releasedAt');
  await db.chunks
    .where('conversationId')
    .equals(conversationId)
    .each(({ recordingId, kind, elapsedMs }) => {
      const longest = Math.max(elapsedMs, found.get(recordingId)?.elapsedMs ?? 0);
      found.set(recordingId, { recordingId, kind, elapsedMs: longest });
    });
  const locked = await lockedRecordings(db);
  // Recording ids ascend with time.
  return [...found.values()]
    .filter(({ recordingId }) => !locked.has(recordingId))
    .sort((a, b) => (a.recordingId < b.recordingId ? 1 : -1));
}

async function lockedRecordings(db: HeartwardDb): Promise<Set<string>> {
  const ownLocks = ownLocksOf(db);
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  const prefix = lockName('');
  const locked = held.flatMap(({ name }) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : []));
  const own = [...ownLocks].flatMap(([id, state]) => (state === 'held' ? [id] : []));
  return new Set([...locked.filter((id) => ownLocks.get(id) !== 'released'), ...own]);
}

/** Returns the chunks of a recording in order. */
export const chunksOfRecording = (db: HeartwardDb, recordingId: string): Promise<ChunkRow[]> =>
  chunksOf(db, recordingId).sortBy('index');
