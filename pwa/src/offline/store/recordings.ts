/**
 * Recordings under way, second by second, so that a crash loses no more than the last one. They stay until they
 * are sent (in the same step that puts the message into the outbox) or discarded.
 */
import { chunksOf, deleteRecording } from './chunks.ts';
import { getDb, type HeartwardDb } from './db.ts';
import { getMeta, setMeta } from './meta.ts';
import { withQuotaRetry } from './quota.ts';
import type { ChunkRow } from './rows.ts';

const lockName = (recordingId: string) => `hw-recording-${recordingId}`;

/** Where a recorder puts what it has so far. */
export type ChunkStore = {
  recordingId: string;
  add: (chunk: Omit<ChunkRow, 'recordingId' | 'conversationId'>) => Promise<void>;
  /** The chunks are not offered as an unsent recording while a recorder of any tab has them. */
  release: () => void;
  remove: () => Promise<void>;
};

export function chunkStore(conversationId: string, recordingId: string): ChunkStore {
  const db = getDb();
  const release = hold(recordingId);
  let removed = false;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<unknown>) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  return {
    recordingId,
    release,
    add: async (chunk) => {
      const row = { ...chunk, recordingId, conversationId };
      await inTurn(async () => removed || withQuotaRetry(db, () => keepChunk(db, row)));
    },
    remove: async () => {
      removed = true;
      await inTurn(() => deleteRecording(db, recordingId));
    },
  };
}

async function keepChunk(db: HeartwardDb, row: ChunkRow): Promise<void> {
  await db.transaction('rw', db.chunks, db.conversations, async () => {
    // The two have parted while it was recorded.
    if (await db.conversations.get(row.conversationId)) await db.chunks.put(row);
  });
}

/** What recorders of this tab have, or had: a lock that was given back may be listed a moment longer. */
const ours = new Map<string, 'held' | 'released'>();

/** Held by the tab that records: it ends with the tab, however that ends. */
function hold(recordingId: string): () => void {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  ours.set(recordingId, 'held');
  void navigator.locks?.request(lockName(recordingId), () => held).then(noteReleased);
  return () => {
    ours.set(recordingId, 'released');
    release();
  };
}

/**
 * Runs work on a stored recording, for one caller at a time: a second tap, or another tab, gets false. Work is not called
 * for a recording that was sent or discarded meanwhile.
 */
export async function withRecordingLock(
  db: HeartwardDb,
  recordingId: string,
  work: (chunks: ChunkRow[]) => Promise<void>,
): Promise<boolean> {
  const whole = async () => {
    const chunks = await chunksOfRecording(db, recordingId);
    if (chunks.length > 0) await work(chunks);
    return true;
  };
  if (!navigator.locks) return whole();
  try {
    return await navigator.locks.request(lockName(recordingId), { ifAvailable: true }, async (lock) =>
      lock ? whole() : false,
    );
  } finally {
    await noteReleased();
  }
}

/** A lock that is released changes no row: this one makes every tab look again at what was left behind. */
async function noteReleased(): Promise<void> {
  try {
    await setMeta(getDb(), 'recordings:releasedAt', Date.now());
  } catch {
    // Signed out, or the device is full: then the recording is offered when the conversation is opened again.
  }
}

/** A recording that was neither sent nor discarded. */
export type StoredRecording = { recordingId: string; kind: ChunkRow['kind']; elapsedMs: number };

/** What was left behind in a conversation, the newest first; nothing that a recorder still has. */
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
  const held = await heldRecordings();
  // Their numbers rise with time.
  return [...found.values()]
    .filter(({ recordingId }) => !held.has(recordingId))
    .sort((a, b) => (a.recordingId < b.recordingId ? 1 : -1));
}

async function heldRecordings(): Promise<Set<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  const prefix = lockName('');
  const locked = held.flatMap(({ name }) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : []));
  const own = [...ours].flatMap(([id, state]) => (state === 'held' ? [id] : []));
  return new Set([...locked.filter((id) => ours.get(id) !== 'released'), ...own]);
}

/** The seconds of one recording, from the first to the last. */
export const chunksOfRecording = (db: HeartwardDb, recordingId: string): Promise<ChunkRow[]> =>
  chunksOf(db, recordingId).sortBy('index');
