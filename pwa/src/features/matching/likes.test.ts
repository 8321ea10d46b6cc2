import 'fake-indexeddb/auto';
import Dexie from 'dexie';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ReceivedLike } from '@/api/types.ts';
import { readAllowance, refreshAllowance } from '@/domain/allowance.ts';
import { countBadges } from '@/offline/store/badgeCounts.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { freshDb, json, PEER, summary } from '@/offline/testkit.ts';
import { likeBack, passOn, readLikes, refreshLikes, storeLikesSeenAt } from './likes.ts';

let db: HeartwardDb;

const receivedLike: ReceivedLike = {
  id: 'like-1',
  user: summary().user,
  likeType: 'like',
  comment: '',
  photoUrl: null,
  prompt: null,
  answer: null,
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
  await likeBack(db, receivedLike);
  expect((await readAllowance(db))?.likesLeft).toBe(4);
  vi.unstubAllGlobals();
});

test('two taps on "Like back" enqueue one like', async () => {
  await Promise.all([likeBack(db, receivedLike), likeBack(db, receivedLike)]);
  expect(await outboxBodies()).toEqual([{ kind: 'like', toUserId: PEER, likeType: 'like' }]);
});

test('undoing a pass that was not sent deletes it and restores the like', async () => {
  const undo = await passOn(db, receivedLike);
  expect(await passOn(db, receivedLike), 'answered already').toBeNull();
  expect((await readLikes(db)).rows).toEqual([]);
  await undo?.();
  expect(await outboxBodies()).toEqual([]);
  expect((await readLikes(db)).rows).toEqual([receivedLike]);
});

test('undoing a pass that is being sent names its id', async () => {
  const undo = await passOn(db, receivedLike);
  const [passId] = await db.outbox.toCollection().primaryKeys();
  await db.outbox.toCollection().modify({ state: 'sending', attempts: 1 });
  await undo?.();
  expect(await outboxBodies()).toEqual([
    { kind: 'pass', targetUserId: PEER },
    { kind: 'unpass', targetUserId: PEER, passId },
  ]);
  expect((await readLikes(db)).rows).toEqual([receivedLike]);
});

test('an undone pass is not lost by a list that is requested while the undo is being stored', async () => {
  const undo = await passOn(db, receivedLike);
  await db.outbox.clear(); // sent
  let now = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => ++now);
  const undone = undo?.();
  vi.stubGlobal('fetch', async () => {
    await undone;
    await db.outbox.clear();
    return json(200, []);
  });
  await refreshLikes(db);
  expect((await readLikes(db)).rows).toEqual([receivedLike]);
  vi.unstubAllGlobals();
});

test('a pass is not reverted by a list that is stored at the same time', async () => {
  let endTransaction: () => void = () => undefined;
  const transactionEnd = new Promise<void>((resolve) => {
    endTransaction = resolve;
  });
  const tables = [db.likes, db.outbox, db.meta];
  let otherTransaction: Promise<unknown> | undefined;
  const transaction = vi.spyOn(db, 'transaction');
  vi.stubGlobal('fetch', async () => {
    otherTransaction = db.transaction('rw', tables, async () => {
      await db.likes.count();
      await Dexie.waitFor(transactionEnd);
    });
    transaction.mockClear();
    return json(200, [receivedLike]);
  });
  const refresh = refreshLikes(db);
  await vi.waitFor(() => expect(transaction).toHaveBeenCalled(), { interval: 0 });
  const passing = passOn(db, receivedLike);
  endTransaction();
  await Promise.all([otherTransaction, refresh]);
  expect(await passing).not.toBeNull();
  expect(await outboxBodies()).toEqual([{ kind: 'pass', targetUserId: PEER }]);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('the badge counts unseen likes after the stored page too, until the list is opened', async () => {
  const page = ['a', 'b'].map((id, index) => ({
    ...receivedLike,
    id,
    user: { ...receivedLike.user, id },
    likedAt: `2026-11-21T10:00:0${9 - index}.000Z`,
  }));
  const headers = {
    'Content-Type': 'application/json',
    Link: '</api/likes/received?cursor=next>; rel="next"',
    'X-Remaining': '150',
    'X-Unseen': '60',
  };
  const fetch = vi.fn(async (_: Request) => new Response(JSON.stringify(page), { headers }));
  vi.stubGlobal('fetch', fetch);
  await storeLikesSeenAt(db, [receivedLike]);
  await refreshLikes(db);
  expect(new URL(fetch.mock.calls[0]?.[0].url ?? '').searchParams.get('seenAt')).toBe(receivedLike.likedAt);
  expect((await countBadges(db)).matches).toBe(60);
  await passOn(db, (await readLikes(db)).rows[0] as ReceivedLike);
  expect((await countBadges(db)).matches, 'an answered like').toBe(59);
  await storeLikesSeenAt(db, (await readLikes(db)).rows);
  expect((await countBadges(db)).matches).toBe(0);
  vi.unstubAllGlobals();
});

test('a full device evicts other data to store the answer', async () => {
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
  vi.spyOn(db.outbox, 'put').mockRejectedValueOnce(new DOMException('full', 'QuotaExceededError') as never);
  await likeBack(db, receivedLike);
  vi.restoreAllMocks();
  expect(await outboxBodies()).toHaveLength(1);
});
