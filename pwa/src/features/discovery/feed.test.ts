import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { freshDb } from '@/offline/testkit.ts';
import { fetchNextCandidates, readFeed, refreshFeed, totalOf } from './feed.ts';
import { like, pass, undoLastPass } from './likeAndPass.ts';
import { person, serve } from './testkit.ts';

let db: HeartwardDb;
beforeEach(async () => {
  localStorage.setItem('hw.member', '019a0000-0000-7000-8000-00000000000a');
  db = await freshDb();
  await Promise.all(db.tables.map((table) => table.clear()));
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});

const ids = async (list: 'forYou' | 'discover' = 'forYou') =>
  (await readFeed(db, list)).rows.map((row) => row.id);

describe('the stored list', () => {
  test('has the server’s candidates in order, and is replaced by a refresh', async () => {
    serve({ '': { ids: ['a', 'b', 'c'] } });
    await refreshFeed(db, 'forYou');
    expect(await ids()).toEqual(['a', 'b', 'c']);
    serve({ '': { ids: ['d', 'b'] } });
    await refreshFeed(db, 'forYou');
    expect(await ids()).toEqual(['d', 'b']);
    expect(await ids('discover')).toEqual([]);
  });

  test('appends further pages without duplicates until the server has no more', async () => {
    serve({ '': { ids: ['a1', 'b1'], next: 'two' }, two: { ids: ['b1', 'c1'] } });
    await refreshFeed(db, 'forYou');
    expect((await readFeed(db, 'forYou')).next).toBe('two');
    await Promise.all([fetchNextCandidates(db, 'forYou'), fetchNextCandidates(db, 'forYou')]);
    expect(await ids()).toEqual(['a1', 'b1', 'c1']);
    expect((await readFeed(db, 'forYou')).next).toBeNull();
    await fetchNextCandidates(db, 'forYou');
    expect(await ids()).toEqual(['a1', 'b1', 'c1']);
  });

  test('counts the candidates on the server too, and one fewer after each decision', async () => {
    const total = async () => totalOf(await readFeed(db, 'forYou'));
    serve({
      '': { ids: ['t1', 't2'], next: 'two', remaining: '3' },
      two: { ids: ['t3', 't4'], remaining: '1' },
    });
    await refreshFeed(db, 'forYou');
    expect(await total()).toEqual({ count: 5, more: false });
    await pass(db, person('t1'));
    expect(await total()).toEqual({ count: 4, more: false });
    await undoLastPass(db);
    expect(await total()).toEqual({ count: 5, more: false });
    await like(db, person('t2'), 'like', 'profile');
    await fetchNextCandidates(db, 'forYou');
    expect(await total()).toEqual({ count: 4, more: false });
    serve({ '': { ids: ['t1'], next: 'two', remaining: '1000+' } });
    await refreshFeed(db, 'forYou');
    expect(await total()).toEqual({ count: 1001, more: true });
  });

  test('says when new people come, once a page lacks some because of the daily limit', async () => {
    const newPeopleAt = async () => (await readFeed(db, 'forYou')).newPeopleAt;
    const midnight = '2026-06-02T00:00:00Z';
    serve({ '': { ids: ['n1'], next: 'two' }, two: { ids: ['n2'], next: 'three', newPeopleAt: midnight } });
    await refreshFeed(db, 'forYou');
    expect(await newPeopleAt()).toBeNull();
    await fetchNextCandidates(db, 'forYou');
    expect(await newPeopleAt()).toBe(midnight);
    serve({ three: { ids: ['n3'] } });
    await fetchNextCandidates(db, 'forYou');
    expect(await newPeopleAt()).toBe(midnight);
    serve({ '': { ids: ['n1'] } });
    await refreshFeed(db, 'forYou');
    expect(await newPeopleAt()).toBeNull();
  });

  test('is refreshed when its cursor is invalid after a change of the filters on another device', async () => {
    serve({ '': { ids: ['a8', 'b8'], next: 'stale' } });
    await refreshFeed(db, 'discover');
    serve({ '': { ids: ['c8'] }, stale: 422 });
    await fetchNextCandidates(db, 'discover');
    expect(await ids('discover')).toEqual(['c8']);
    expect((await readFeed(db, 'discover')).next).toBeNull();
  });

  test('discards a page of a list that was replaced meanwhile', async () => {
    serve({ '': { ids: ['a9'], next: 'old' } });
    await refreshFeed(db, 'discover');
    const renew = async () => {
      serve({ '': { ids: ['b9'], next: 'new' } });
      await refreshFeed(db, 'discover');
    };
    serve({ old: { ids: ['c9'], next: 'older' } }, renew);
    await fetchNextCandidates(db, 'discover');
    expect(await ids('discover')).toEqual(['b9']);
    expect((await readFeed(db, 'discover')).next).toBe('new');
  });

  test('stays unchanged when the server cannot be reached', async () => {
    serve({ '': { ids: ['a2'] } });
    await refreshFeed(db, 'forYou');
    serve({});
    await expect(refreshFeed(db, 'forYou')).rejects.toThrow();
    expect(await ids()).toEqual(['a2']);
  });
});

describe('a member decided on', () => {
  test('is removed from both lists, and stays removed while the decision is in the outbox', async () => {
    serve({ '': { ids: ['a3', 'b3', 'c3'] } });
    await refreshFeed(db, 'forYou');
    await refreshFeed(db, 'discover');
    await pass(db, person('a3'));
    await like(db, person('b3'), 'super_like', 'deck');
    expect(await ids()).toEqual(['c3']);
    expect(await ids('discover')).toEqual(['c3']);
    const waiting = await db.outbox.orderBy('localSeq').toArray();
    expect(waiting.map((row) => row.body)).toEqual([
      { kind: 'pass', targetUserId: 'a3' },
      { kind: 'like', toUserId: 'b3', likeType: 'super_like' },
    ]);
    await refreshFeed(db, 'forYou');
    expect(await ids()).toEqual(['c3']);
    expect((await db.profiles.get('b3'))?.member.fullName).toBe('b3 Moss');
  });

  test('is not restored by a response to an earlier request', async () => {
    serve({ '': { ids: ['a4', 'b4'] } });
    await refreshFeed(db, 'forYou');
    // Decided and sent during the request.
    serve({ '': { ids: ['a4', 'b4'] } }, async () => {
      await pass(db, person('a4'));
      await db.outbox.clear();
    });
    await refreshFeed(db, 'forYou');
    expect(await ids()).toEqual(['b4']);
  });

  test.each([
    ['pass', () => pass(db, person('a10'))],
    ['like', () => like(db, person('a10'), 'like', 'deck')],
  ])('is not restored by a page that is requested while the %s is being stored', async (_, decide) => {
    serve({ '': { ids: ['a10', 'b10'] } });
    await refreshFeed(db, 'forYou');
    let now = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => ++now);
    const stored = decide();
    // Sent during the request.
    serve({ '': { ids: ['a10', 'b10'] } }, async () => {
      await stored;
      await db.outbox.clear();
    });
    await refreshFeed(db, 'forYou');
    expect(await ids()).toEqual(['b10']);
  });

  test('returns when the decision was rejected and the server offers the member again', async () => {
    serve({ '': { ids: ['a5'] } });
    await refreshFeed(db, 'forYou');
    await pass(db, person('a5'));
    await db.outbox.toCollection().modify({ state: 'failed' });
    await new Promise((resolve) => setTimeout(resolve, 2));
    await refreshFeed(db, 'forYou');
    expect(await ids()).toEqual(['a5']);
  });

  test('stays in the grid, marked as liked, and is removed from the deck', async () => {
    serve({ '': { ids: ['a6', 'b6'] } });
    await refreshFeed(db, 'forYou');
    await refreshFeed(db, 'discover');
    await like(db, person('a6'), 'like', 'grid');
    expect(await ids()).toEqual(['b6']);
    expect((await readFeed(db, 'discover')).rows.map((row) => [row.id, row.liked])).toEqual([
      ['a6', 'like'],
      ['b6', undefined],
    ]);
  });

  test('stays when a full device cannot store the decision', async () => {
    serve({ '': { ids: ['a7'] } });
    await refreshFeed(db, 'forYou');
    vi.spyOn(db.outbox, 'put').mockRejectedValue(new Error('QuotaExceededError'));
    await expect(like(db, person('a7'), 'like', 'deck')).rejects.toThrow();
    expect(await ids()).toEqual(['a7']);
  });
});
