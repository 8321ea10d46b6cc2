import 'fake-indexeddb/auto';
import Dexie from 'dexie';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ReceivedLike } from '@/api/types.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { readAllowance, refreshAllowance } from '@/offline/sync/allowance.ts';
import { freshDb, json, PEER, summary } from '@/offline/testkit.ts';
import { likeBack, passOn, readLikes, refreshLikes } from './likes.ts';

let db: HeartwardDb;

const receivedLike: ReceivedLike = {
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
  await db.likes.put(receivedLike);
});
afterEach(() => vi.useRealTimers());

const outboxBodies = async () => (await db.outbox.orderBy('localSeq').toArray()).map(({ body }) => body);

test('liking back reduces the daily allowance before the server responds', async () => {
  const likes = { likesLeft: 5, superLikesLeft: 3, likesResetAt: null, superLikesResetAt: null };
  vi.stubGlobal('fetch', async () => json(200, likes));
  await refreshAllowance(db);
  await likeBack(receivedLike);
  expect((await readAllowance(db))?.likesLeft).toBe(4);
  vi.unstubAllGlobals();
});

test('two taps on "Like back" enqueue one like', async () => {
  await Promise.all([likeBack(receivedLike), likeBack(receivedLike)]);
  expect(await outboxBodies()).toEqual([{ kind: 'like', toUserId: PEER, likeType: 'like' }]);
});

test('undoing a pass names the id of the pass and restores the like', async () => {
  const undo = await passOn(receivedLike);
  expect(await passOn(receivedLike), 'answered already').toBeNull();
  const [passId] = await db.outbox.toCollection().primaryKeys();
  expect((await readLikes(db)).rows).toEqual([]);
  await undo?.();
  expect(await outboxBodies()).toEqual([
    { kind: 'pass', targetUserId: PEER },
    { kind: 'unpass', targetUserId: PEER, passId },
  ]);
  expect((await readLikes(db)).rows).toEqual([receivedLike]);
});

test('a pass is not reverted by a list that is stored at the same time', async () => {
  vi.stubGlobal('fetch', async () => json(200, [receivedLike]));
  let endTransaction: () => void = () => undefined;
  const transactionEnd = new Promise<void>((resolve) => {
    endTransaction = resolve;
  });
  const tables = [db.likes, db.outbox, db.meta];
  const otherTransaction = db.transaction('rw', tables, async () => {
    await db.likes.count();
    await Dexie.waitFor(transactionEnd);
  });
  const transaction = vi.spyOn(db, 'transaction');
  const refresh = refreshLikes(db);
  await vi.waitFor(() => expect(transaction).toHaveBeenCalled(), { interval: 0 });
  const passing = passOn(receivedLike);
  endTransaction();
  await Promise.all([otherTransaction, refresh]);
  expect(await passing).not.toBeNull();
  expect(await outboxBodies()).toEqual([{ kind: 'pass', targetUserId: PEER }]);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('a full device evicts other data to store the answer', async () => {
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
  vi.spyOn(db.outbox, 'put').mockRejectedValueOnce(new DOMException('full', 'QuotaExceededError') as never);
  await likeBack(receivedLike);
  vi.restoreAllMocks();
  expect(await outboxBodies()).toHaveLength(1);
});
