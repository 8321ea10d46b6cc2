/**
 * Recordings under way, second by second, so that a crash loses no more than the last one. They stay until they
 * are sent (in the same step that puts the message into the outbox) or discarded.
 */
import Dexie from 'dexie';
import { getDb, type HeartwardDb } from './db.ts';
import { withRoom } from './room.ts';
import type { ChunkRow } from './rows.ts';

const chunksOf = (db: HeartwardDb, recordingId: string) =>
  db.chunks.where('[recordingId+index]').between([recordingId, Dexie.minKey], [recordingId, Dexie.maxKey]);

const lockName = (recordingId: string) => `hw-recording-${recordingId}`;

/** Where a recorder puts what it has so far. */
export type ChunkStore = {
  recordingId: string;
  add: (chunk: Omit<ChunkRow, 'recordingId' | 'conversationId'>) => Promise<void>;
  /** What is kept is not offered as left behind while the recorder has it, here or in another tab. */
  release: () => void;
  remove: () => Promise<void>;
};

export function chunkStore(conversationId: string, recordingId: string): ChunkStore {
  const db = getDb();
  const release = hold(recordingId);
  return {
    recordingId,
    release,
    add: async (chunk) => {
      await withRoom(db, () => db.chunks.put({ ...chunk, recordingId, conversationId }));
    },
    remove: () => forgetRecording(db, recordingId),
  };
}

/** Held by the tab that records: it ends with the tab, however that ends. */
function hold(recordingId: string): () => void {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  void navigator.locks?.request(lockName(recordingId), () => held);
  return release;
}

export async function forgetRecording(db: HeartwardDb, recordingId: string): Promise<void> {
  await chunksOf(db, recordingId).delete();
}

/** A recording that was neither sent nor discarded. */
export type LeftRecording = { recordingId: string; kind: ChunkRow['kind']; elapsedMs: number };

/** What was left behind in a conversation, the newest first; nothing that a recorder still has. */
export async function leftRecordings(db: HeartwardDb, conversationId: string): Promise<LeftRecording[]> {
  const held = await heldRecordings();
  const found = new Map<string, LeftRecording>();
  await db.chunks
    .where('conversationId')
    .equals(conversationId)
    .each(({ recordingId, kind, elapsedMs }) => {
      const known = found.get(recordingId);
      const longest = Math.max(elapsedMs, known?.elapsedMs ?? 0);
      if (!held.has(recordingId)) found.set(recordingId, { recordingId, kind, elapsedMs: longest });
    });
  // Their numbers rise with time.
  return [...found.values()].sort((a, b) => (a.recordingId < b.recordingId ? 1 : -1));
}

async function heldRecordings(): Promise<Set<string>> {
  const { held } = (await navigator.locks?.query()) ?? {};
  const prefix = lockName('');
  return new Set(
    (held ?? []).flatMap(({ name }) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : [])),
  );
}

/** The seconds of one recording, from the first to the last. */
export const chunksOfRecording = (db: HeartwardDb, recordingId: string): Promise<ChunkRow[]> =>
  chunksOf(db, recordingId).sortBy('index');
