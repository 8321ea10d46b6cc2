import 'fake-indexeddb/auto';
import Dexie from 'dexie';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ReceivedLike } from '@/api/types.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { readAllowance, refreshAllowance } from '@/offline/sync/allowance.ts';
import { freshDb, json, PEER, summary } from '@/offline/testkit.ts';
import { likeBack, passOn, readLikes, refreshLikes } from './likes.ts';

let db: HeartwardDb;

const received: ReceivedLike = {
  id: 'like-1',
  user: summary().user,
  likeType: 'like',
  comment: '',
  photoUrl: null,
  prompt: null,
  likedAt: '2026-11-20T10:00:00.000Z',
};

beforeEach(async () => {
  // Sending starts by a timer. Fake timers keep every row in the outbox.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  db = await freshDb();
  await db.likes.put(received);
});
afterEach(() => vi.useRealTimers());

const outboxBodies = async () => (await db.outbox.orderBy('localSeq').toArray()).map(({ body }) => body);

test('liking back reduces the daily allowance before the server responds', async () => {
  const likes = { likesLeft: 5, superLikesLeft: 3, likesResetAt: null, superLikesResetAt: null };
  vi.stubGlobal('fetch', async () => json(200, likes));
  await refreshAllowance(db);
  await likeBack(received);
  expect((await readAllowance(db))?.likesLeft).toBe(4);
  vi.unstubAllGlobals();
});

test('two taps on "Like back" enqueue one like', async () => {
  await Promise.all([likeBack(received), likeBack(received)]);
  expect(await outboxBodies()).toEqual([{ kind: 'like', toUserId: PEER, likeType: 'like' }]);
});

test('undoing a pass names the id of the pass and restores the like', async () => {
  const undo = await passOn(received);
  expect(await passOn(received), 'answered already').toBeNull();
  const [passId] = await db.outbox.toCollection().primaryKeys();
  expect((await readLikes(db)).rows).toEqual([]);
  await undo?.();
  expect(await outboxBodies()).toEqual([
    { kind: 'pass', targetUserId: PEER },
    { kind: 'unpass', targetUserId: PEER, passId },
  ]);
  expect((await readLikes(db)).rows).toEqual([received]);
});

test('a pass is not reverted by a list that is stored at the same time', async () => {
  vi.stubGlobal('fetch', async () => json(200, [received]));
  let endTransaction: () => void = () => undefined;
  const transactionEnd = new Promise<void>((resolve) => {
    endTransaction = resolve;
  });
  const tables = [db.likes, db.outbox, db.meta];
  const busy = db.transaction('rw', tables, async () => {
    await db.likes.count();
    await Dexie.waitFor(transactionEnd);
  });
  const transaction = vi.spyOn(db, 'transaction');
  const refreshed = refreshLikes(db);
  await vi.waitFor(() => expect(transaction).toHaveBeenCalled(), { interval: 0 });
  const passed = passOn(received);
  endTransaction();
  await Promise.all([busy, refreshed]);
  expect(await passed).not.toBeNull();
  expect(await outboxBodies()).toEqual([{ kind: 'pass', targetUserId: PEER }]);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('a full device evicts other data to store the answer', async () => {
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
  vi.spyOn(db.outbox, 'put').mockRejectedValueOnce(new DOMException('full', 'QuotaExceededError') as never);
  await likeBack(received);
  vi.restoreAllMocks();
  expect(await outboxBodies()).toHaveLength(1);
});
