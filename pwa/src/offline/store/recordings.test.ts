import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import { CONVERSATION, freshDb, PEER, summary } from '../testkit.ts';
import { deleteRecording } from './chunks.ts';
import type { HeartwardDb } from './db.ts';
import { purgeMember } from './purge.ts';
import {
  type ChunkStore,
  chunkStore,
  chunksOfRecording,
  listUnsentRecordings,
  withRecordingLock,
} from './recordings.ts';

let db: HeartwardDb;
/** Locks of this browser; those of a tab that is gone are not among them. */
let locked: string[];

beforeEach(async () => {
  locked = [];
  const request = async (name: string, ...args: unknown[]) => {
    const hold = args.pop() as (lock: object | null) => Promise<unknown>;
    // A recorder's own lock is free. Sending a stored recording asks only whether it is.
    if (args.length > 0 && locked.includes(name)) return hold(null);
    locked.push(name);
    try {
      return await hold({});
    } finally {
      locked = locked.filter((one) => one !== name);
    }
  };
  const query = async () => ({ held: locked.map((name) => ({ name })) });
  vi.stubGlobal('navigator', { locks: { request, query } });
  db = await freshDb();
  await db.conversations.put({ ...summary(), userId: PEER, sortAt: '' });
  return () => vi.unstubAllGlobals();
});

const second = (index: number): Parameters<ChunkStore['add']>[0] => ({
  index,
  kind: 'voice',
  mimeType: 'audio/webm',
  blob: new Blob([String(index)]),
  elapsedMs: (index + 1) * 1000,
  levels: [index],
  poster: null,
});

const left = async () => (await listUnsentRecordings(db, CONVERSATION)).map(({ recordingId }) => recordingId);

async function recorded(recordingId: string, seconds: number): Promise<ChunkStore> {
  const store = chunkStore(CONVERSATION, recordingId);
  for (let index = 0; index < seconds; index++) await store.add(second(index));
  return store;
}

it('offers what a recorder has let go of, the newest first and with its length', async () => {
  const one = await recorded('r1', 2);
  const two = await recorded('r2', 12);
  expect(await left(), 'they are still being made').toEqual([]);
  one.release();
  two.release();
  expect(await left()).toEqual(['r2', 'r1']);
  expect((await listUnsentRecordings(db, CONVERSATION))[0]?.elapsedMs).toBe(12_000);
  const seconds = await chunksOfRecording(db, 'r2');
  expect(seconds.map(({ index }) => index)).toEqual(Array.from({ length: 12 }, (_, index) => index));
});

it('offers what a tab left that is gone, not what another one records just now', async () => {
  const rows = ['crashed', 'elsewhere'].map((recordingId) => ({ ...second(0), recordingId }));
  await db.chunks.bulkPut(rows.map((row) => ({ ...row, conversationId: CONVERSATION })));
  locked = ['hw-recording-elsewhere'];
  expect(await left()).toEqual(['crashed']);
});

it('keeps nothing of what was discarded, a second that was on its way included', async () => {
  const store = await recorded('r3', 1);
  const late = store.add(second(1));
  const removed = store.remove();
  const later = store.add(second(2));
  await Promise.all([late, removed, later]);
  store.release();
  expect(await db.chunks.count()).toBe(0);
});

it('keeps no second that ends after the two have parted', async () => {
  const store = await recorded('r4', 1);
  await purgeMember(db, PEER);
  await store.add(second(1));
  expect(await db.chunks.count()).toBe(0);
});

it('is sent or discarded by one caller at a time, and by none once it is gone', async () => {
  (await recorded('r1', 2)).release();
  await vi.waitFor(() => expect(locked).toEqual([]));
  let sent = 0;
  let go: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  const send = () =>
    withRecordingLock(db, 'r1', async (chunks) => {
      expect(chunks).toHaveLength(2);
      await gate;
      sent += 1;
      await deleteRecording(db, 'r1');
    });
  const first = send();
  await vi.waitFor(() => expect(locked).toEqual(['hw-recording-r1']));
  expect(await send(), 'another has it').toBe(false);
  go();
  expect(await first).toBe(true);
  expect(sent).toBe(1);
  expect(await send(), 'there is nothing any more').toBe(true);
  expect(sent).toBe(1);
});

it('can be tried again when it failed', async () => {
  (await recorded('r1', 1)).release();
  await vi.waitFor(() => expect(locked).toEqual([]));
  await expect(withRecordingLock(db, 'r1', () => Promise.reject(new Error('full')))).rejects.toThrow('full');
  const work = vi.fn();
  await withRecordingLock(db, 'r1', work);
  expect(work).toHaveBeenCalledOnce();
});
