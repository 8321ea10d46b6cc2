import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import { CONVERSATION, freshDb, PEER, summary } from '../testkit.ts';
import { deleteRecording } from './chunks.ts';
import type { HeartwardDb } from './db.ts';
import { purgeMember } from './purge.ts';
import {
  type ChunkStore,
  chunksOfRecording,
  createChunkStore,
  listUnsentRecordings,
  withRecordingLock,
} from './recordings.ts';

let db: HeartwardDb;
/** The locks held in this browser. */
let heldLocks: string[];

beforeEach(async () => {
  heldLocks = [];
  const request = async (name: string, ...args: unknown[]) => {
    const work = args.pop() as (lock: object | null) => Promise<unknown>;
    // A recorder's own lock is free. Sending a stored recording requests it with `ifAvailable`.
    if (args.length > 0 && heldLocks.includes(name)) return work(null);
    heldLocks.push(name);
    try {
      return await work({});
    } finally {
      heldLocks = heldLocks.filter((one) => one !== name);
    }
  };
  const query = async () => ({ held: heldLocks.map((name) => ({ name })) });
  vi.stubGlobal('navigator', { locks: { request, query } });
  db = await freshDb();
  await db.conversations.put({ ...summary(), userId: PEER, sortAt: '' });
  return () => vi.unstubAllGlobals();
});

const chunk = (index: number): Parameters<ChunkStore['add']>[0] => ({
  index,
  kind: 'voice',
  mimeType: 'audio/webm',
  blob: new Blob([String(index)]),
  elapsedMs: (index + 1) * 1000,
  levels: [index],
  poster: null,
});

const unsentIds = async () =>
  (await listUnsentRecordings(db, CONVERSATION)).map(({ recordingId }) => recordingId);

async function record(recordingId: string, seconds: number): Promise<ChunkStore> {
  const store = createChunkStore(db, CONVERSATION, recordingId);
  for (let index = 0; index < seconds; index++) await store.add(chunk(index));
  return store;
}

it('lists recordings whose recorder has released them, the newest first, with their duration', async () => {
  const one = await record('r1', 2);
  const two = await record('r2', 12);
  expect(await unsentIds(), 'still being recorded').toEqual([]);
  one.release();
  two.release();
  expect(await unsentIds()).toEqual(['r2', 'r1']);
  expect((await listUnsentRecordings(db, CONVERSATION))[0]?.elapsedMs).toBe(12_000);
  const chunks = await chunksOfRecording(db, 'r2');
  expect(chunks.map(({ index }) => index)).toEqual(Array.from({ length: 12 }, (_, index) => index));
});

it('lists the recording of a crashed tab, but not one that another tab is recording', async () => {
  const rows = ['crashed', 'elsewhere'].map((recordingId) => ({ ...chunk(0), recordingId }));
  await db.chunks.bulkPut(rows.map((row) => ({ ...row, conversationId: CONVERSATION })));
  heldLocks = ['hw-recording-elsewhere'];
  expect(await unsentIds()).toEqual(['crashed']);
});

it('deletes all chunks of a discarded recording, including one that is being stored', async () => {
  const store = await record('r3', 1);
  const addBefore = store.add(chunk(1));
  const removal = store.remove();
  const addAfter = store.add(chunk(2));
  await Promise.all([addBefore, removal, addAfter]);
  store.release();
  expect(await db.chunks.count()).toBe(0);
});

it('stores no chunk after the contact has ended', async () => {
  const store = await record('r4', 1);
  await purgeMember(db, PEER);
  await store.add(chunk(1));
  expect(await db.chunks.count()).toBe(0);
});

it('runs work for one caller at a time, and not for a deleted recording', async () => {
  (await record('r1', 2)).release();
  await vi.waitFor(() => expect(heldLocks).toEqual([]));
  let sent = 0;
  let finish: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const send = () =>
    withRecordingLock(db, 'r1', async (chunks) => {
      expect(chunks).toHaveLength(2);
      await gate;
      sent += 1;
      await deleteRecording(db, 'r1');
    });
  const first = send();
  await vi.waitFor(() => expect(heldLocks).toEqual(['hw-recording-r1']));
  expect(await send(), 'the first call has the lock').toBe(false);
  finish();
  expect(await first).toBe(true);
  expect(sent).toBe(1);
  expect(await send(), 'no chunks are left').toBe(true);
  expect(sent).toBe(1);
});

it('runs work again after a failure', async () => {
  (await record('r1', 1)).release();
  await vi.waitFor(() => expect(heldLocks).toEqual([]));
  await expect(withRecordingLock(db, 'r1', () => Promise.reject(new Error('full')))).rejects.toThrow('full');
  const work = vi.fn();
  await withRecordingLock(db, 'r1', work);
  expect(work).toHaveBeenCalledOnce();
});
