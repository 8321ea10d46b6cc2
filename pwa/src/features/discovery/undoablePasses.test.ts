import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { freshDb } from '@/offline/testkit.ts';
import { readFeed, refreshFeed } from './feed.ts';
import { like, pass, undoLastPass } from './likeAndPass.ts';
import { person, serve } from './testkit.ts';
import { readPasses } from './undoablePasses.ts';

let db: HeartwardDb;

beforeEach(async () => {
  // Sending starts by a timer. Fake timers keep every row in the outbox.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  localStorage.setItem('hw.member', '019a0000-0000-7000-8000-00000000000a');
  db = await freshDb();
  await Promise.all(db.tables.map((table) => table.clear()));
  serve({ '': { ids: ['p', 'q', 'r'] } });
  await refreshFeed(db, 'forYou');
  await refreshFeed(db, 'discover');
});
afterEach(() => vi.useRealTimers());

const ids = async (list: 'forYou' | 'discover' = 'forYou') =>
  (await readFeed(db, list)).rows.map((row) => row.id);

const outboxBodies = async () => (await db.outbox.orderBy('localSeq').toArray()).map((row) => row.body);

describe('the last pass', () => {
  test('is undone before it was sent: its row is deleted, and the card is on top again', async () => {
    await pass(db, person('p'));
    await pass(db, person('q'));
    expect((await undoLastPass(db))?.id).toBe('q');
    expect(await outboxBodies()).toEqual([{ kind: 'pass', targetUserId: 'p' }]);
    expect(await ids()).toEqual(['q', 'r']);
    expect(await ids('discover')).toEqual(['q', 'r']);
    expect((await undoLastPass(db))?.id).toBe('p');
    expect(await outboxBodies()).toEqual([]);
    expect(await ids()).toEqual(['p', 'q', 'r']);
    expect(await undoLastPass(db)).toBeNull();
  });

  test('that may have been stored without a response is replaced by an unpass', async () => {
    await pass(db, person('p'));
    const [passId] = await db.outbox.toCollection().primaryKeys();
    await db.outbox.toCollection().modify({ attempts: 3 });
    await undoLastPass(db);
    expect(await outboxBodies()).toEqual([{ kind: 'unpass', targetUserId: 'p', passId }]);
  });

  test('that is in flight stays in the outbox, followed by an unpass', async () => {
    await pass(db, person('p'));
    const [passId] = await db.outbox.toCollection().primaryKeys();
    await db.outbox.toCollection().modify({ state: 'sending', attempts: 1 });
    await undoLastPass(db);
    expect(await outboxBodies()).toEqual([
      { kind: 'pass', targetUserId: 'p' },
      { kind: 'unpass', targetUserId: 'p', passId },
    ]);
  });

  test('that was sent is undone at the server, and no earlier request removes the card again', async () => {
    await pass(db, person('p'));
    await db.outbox.clear();
    serve({ '': { ids: ['q', 'r'] } }, async () => {
      await undoLastPass(db);
    });
    await refreshFeed(db, 'forYou');
    expect(await ids()).toEqual(['p', 'q', 'r']);
    // While the unpass is queued, the server still leaves the member out.
    serve({ '': { ids: ['q', 'r'] } });
    await refreshFeed(db, 'forYou');
    expect(await ids()).toEqual(['p', 'q', 'r']);
    await db.outbox.clear();
    const { now } = Date;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + 5);
    serve({ '': { ids: ['q', 'p', 'r'] } });
    await refreshFeed(db, 'forYou');
    expect(await ids()).toEqual(['q', 'p', 'r']);
  });

  test('can be repeated, and is the last pass again', async () => {
    await pass(db, person('p'));
    await undoLastPass(db);
    await pass(db, person('p'));
    expect(await ids()).toEqual(['q', 'r']);
    expect((await readPasses(db)).map(({ id }) => id)).toEqual(['p']);
  });

  test('on a member who is liked afterwards cannot be undone', async () => {
    await pass(db, person('p'));
    await pass(db, person('q'));
    await like(db, person('q'), 'like', 'profile');
    expect((await undoLastPass(db))?.id).toBe('p');
    expect(await undoLastPass(db)).toBeNull();
  });

  test('stays when a full device cannot store its undoing', async () => {
    await pass(db, person('p'));
    vi.spyOn(db.feed, 'bulkPut').mockRejectedValue(new Error('disk failure'));
    expect(await undoLastPass(db)).toBeNull();
    vi.restoreAllMocks();
    expect((await undoLastPass(db))?.id).toBe('p');
  });
});

test('a like, a pass and an undo are repeated on a full device', async () => {
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
  const failOnce = (table: 'feed' | 'outbox', method: 'bulkPut' | 'put') =>
    vi
      .spyOn(db[table], method)
      .mockRejectedValueOnce(new DOMException('full', 'QuotaExceededError') as never);
  failOnce('outbox', 'put');
  await pass(db, person('p'));
  failOnce('outbox', 'put');
  await like(db, person('q'), 'like', 'deck');
  failOnce('feed', 'bulkPut');
  expect((await undoLastPass(db))?.id).toBe('p');
  vi.restoreAllMocks();
  expect(await outboxBodies()).toEqual([{ kind: 'like', toUserId: 'q', likeType: 'like' }]);
});

test('two taps on one button enqueue one like', async () => {
  await Promise.all([like(db, person('p'), 'like', 'grid'), like(db, person('p'), 'like', 'grid')]);
  expect(await outboxBodies()).toHaveLength(1);
});

test('a like contains its photo or prompt and the comment', async () => {
  await like(db, person('w'), 'like', 'deck', { comment: 'Where was that?', photoId: 'photo-1' });
  expect(await outboxBodies()).toEqual([
    { kind: 'like', toUserId: 'w', likeType: 'like', comment: 'Where was that?', photoId: 'photo-1' },
  ]);
});
