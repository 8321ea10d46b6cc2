import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, setMeta } from '@/offline/store/meta.ts';
import { freshDb, PEER, summary } from '@/offline/testkit.ts';
import { decide, decidedGuard, passesGuard, undoPass } from './decide.ts';

let db: HeartwardDb;
const user = { ...summary().user, id: PEER };

beforeEach(async () => {
  // Sending starts by a timer. Fake timers keep every row in the outbox.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  db = await freshDb();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const bodies = async () => (await db.outbox.orderBy('localSeq').toArray()).map(({ body }) => body);

/** Whether the member is taken out of a page that was requested a second ago, when nothing waits in the outbox any more. */
async function isRemoved(guard: typeof decidedGuard): Promise<boolean> {
  await db.outbox.clear();
  const changes = await guard.since(db, Date.now() - 1000, { removed: new Set(), added: new Set() });
  return changes.isRemoved(PEER);
}

test('a decision and the lists it changes are stored together or not at all', async () => {
  await db.passes.put({ user, passedAt: '2026-11-20T10:00:00.000Z' });
  const change = async () => {
    await db.passes.delete(PEER);
    throw new Error('disk failure');
  };
  await expect(decide(db, PEER, { kind: 'like', likeType: 'like' }, { change })).rejects.toThrow(
    'disk failure',
  );
  expect(await bodies()).toEqual([]);
  expect(await db.passes.count()).toBe(1);
  expect(await isRemoved(decidedGuard)).toBe(false);
  expect(await isRemoved(passesGuard)).toBe(false);
});

test('an undo that cannot be stored leaves the pass', async () => {
  await decide(db, PEER, { kind: 'pass' });
  const failing = undoPass(db, async () => {
    vi.spyOn(db.outbox, 'delete').mockRejectedValue(new Error('disk failure'));
    return { id: PEER };
  });
  await expect(failing).rejects.toThrow('disk failure');
  expect(await bodies()).toEqual([{ kind: 'pass', targetUserId: PEER }]);
  vi.restoreAllMocks();
  expect(await isRemoved(decidedGuard)).toBe(true);
});

test('a decision that was made before is not repeated', async () => {
  expect(await decide(db, PEER, { kind: 'pass' }, { isUndecided: async () => false })).toBeNull();
  expect(await bodies()).toEqual([]);
});

test('a like takes the member out of the candidates and the passes, a pass only out of the candidates', async () => {
  await decide(db, PEER, { kind: 'pass' });
  expect([await isRemoved(decidedGuard), await isRemoved(passesGuard)]).toEqual([true, false]);
  await decide(db, PEER, { kind: 'like', likeType: 'like' });
  expect([await isRemoved(decidedGuard), await isRemoved(passesGuard)]).toEqual([true, true]);
});

describe('undoing a pass', () => {
  const passedAt = '2026-11-20T10:00:00.000Z';

  test('of the list of passes tells the server, although a newer pass was not sent yet', async () => {
    await db.passes.put({ user, passedAt });
    await decide(db, PEER, { kind: 'pass' });
    expect((await undoPass(db, async () => user))?.rowId).not.toBeNull();
    expect(await bodies()).toEqual([{ kind: 'unpass', targetUserId: PEER }]);
    expect(await db.passes.count()).toBe(0);
  });

  test('names the pass that the server may get late', async () => {
    const passId = await decide(db, PEER, { kind: 'pass' });
    await db.outbox.toCollection().modify({ attempts: 2 });
    await undoPass(db, async () => user);
    expect(await bodies()).toEqual([{ kind: 'unpass', targetUserId: PEER, passId }]);
  });

  test('that was rejected, after one that was stored, tells the server of the stored one', async () => {
    await decide(db, PEER, { kind: 'pass' });
    await db.outbox.toCollection().modify({ state: 'failed' });
    await undoPass(db, async () => ({ id: PEER, passId: 'earlier' }));
    expect((await bodies()).at(-1)).toEqual({ kind: 'unpass', targetUserId: PEER, passId: 'earlier' });
  });

  test('takes it out of those that the deck can undo', async () => {
    await setMeta(db, 'passes', [{ id: PEER, rows: [], passId: 'p' }]);
    await undoPass(db, async () => user);
    expect(await getMeta(db, 'passes')).toEqual([]);
  });
});
