import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../api/request.ts';
import type { ReceivedLike } from '../../api/types.ts';
import { enqueue } from '../outbox/outbox.ts';
import type { HeartwardDb, PassedRow } from '../store/db.ts';
import { getMeta } from '../store/meta.ts';
import { purgeMember } from '../store/purge.ts';
import { freshDb, summary } from '../testkit.ts';
import { fetchNextPage, type Page, refreshMirror, tableMirror } from './mirror.ts';
import { RemovalGuard } from './removalGuard.ts';

const { user } = summary();
/** A row of the member with this id. Later letters are older rows. */
const row = (id: string): PassedRow => ({ user: { ...user, id }, passedAt: String(300 - id.charCodeAt(0)) });

const like = (id: string): ReceivedLike => ({
  id,
  user: { ...user, id },
  likeType: 'like',
  comment: '',
  photoUrl: null,
  prompt: null,
  answer: null,
  likedAt: row(id).passedAt,
});

let db: HeartwardDb;
let pages: Record<string, Page<PassedRow> | ApiError>;
/** Runs during each request. */
let duringRequest: () => Promise<unknown>;
let guard: RemovalGuard;

const mirror = () =>
  tableMirror<PassedRow>({
    table: ({ passes }) => passes,
    cursorKey: 'passes:next',
    sortTimeOf: ({ passedAt }) => passedAt,
    memberOf: ({ user }) => user.id,
    guard,
    fetch: async (_, cursor = '') => {
      await duringRequest();
      const page = pages[cursor];
      if (!page || page instanceof ApiError) throw page ?? new Error(`no page ${cursor}`);
      return page;
    },
  });
const ids = async () => (await db.passes.orderBy('passedAt').reverse().primaryKeys()).join('');

beforeEach(async () => {
  db = await freshDb();
  duringRequest = async () => undefined;
  guard = new RemovalGuard((body) => {
    if (body.kind === 'unpass') return { removes: body.targetUserId };
    return body.kind === 'pass' ? { adds: body.targetUserId } : null;
  });
});

describe('a mirrored list', () => {
  it('stores the pages in order, and a refresh of the first page keeps later ones', async () => {
    pages = { '': { items: [row('b'), row('c')], next: '2' }, 2: { items: [row('d')], next: null } };
    const list = mirror();
    await refreshMirror(db, list);
    await Promise.all([fetchNextPage(db, list), fetchNextPage(db, list)]);
    expect(await ids()).toBe('bcd');
    pages[''] = { items: [row('a'), row('c')], next: 'other' };
    await refreshMirror(db, list);
    expect(await ids()).toBe('acd');
    expect(await getMeta(db, 'passes:next')).toBeNull();
  });

  it('drops later pages when the first one no longer reaches the stored rows', async () => {
    pages = { '': { items: [row('x'), row('y')], next: '2' }, 2: { items: [row('z')], next: null } };
    const list = mirror();
    await refreshMirror(db, list);
    await fetchNextPage(db, list);
    pages = {
      '': { items: [row('a'), row('b')], next: '2' },
      2: { items: [row('c'), row('x')], next: null },
    };
    await refreshMirror(db, list);
    expect(await ids()).toBe('ab');
    await fetchNextPage(db, list);
    expect(await ids()).toBe('abcx');
  });

  it('stores the number of rows after the stored ones', async () => {
    const likes = tableMirror<ReceivedLike>({
      table: (db) => db.likes,
      cursorKey: 'likes:next',
      remainingKey: 'likes:remaining',
      sortTimeOf: ({ likedAt }) => likedAt,
      memberOf: ({ user }) => user.id,
      fetch: async (_, cursor) => {
        const [items, count] = cursor ? [[like('c'), like('d')], 0] : [[like('a'), like('b')], 2];
        return { items, next: cursor ? null : '2', remaining: { count, more: false } };
      },
    });
    const remaining = async () => (await getMeta(db, 'likes:remaining')).count;
    await refreshMirror(db, likes);
    expect(await remaining()).toBe(2);
    await fetchNextPage(db, likes);
    expect(await remaining()).toBe(0);
    // Later pages stay stored.
    await refreshMirror(db, likes);
    expect(await remaining()).toBe(0);
  });

  it('is refreshed when the server rejects the cursor', async () => {
    pages = { '': { items: [row('a')], next: '2' }, 2: new ApiError(422, 'invalid', 'no such cursor') };
    const list = mirror();
    await refreshMirror(db, list);
    pages[''] = { items: [row('z')], next: null };
    await fetchNextPage(db, list);
    expect(await ids()).toBe('z');
  });

  it('does not store members who were removed or purged during the request', async () => {
    pages = { '': { items: [row('a'), row('b'), row('c')], next: null } };
    duringRequest = async () => {
      await enqueue(db, { kind: 'unpass', targetUserId: 'a' });
      await purgeMember(db, 'b');
    };
    await refreshMirror(db, mirror());
    expect(await ids()).toBe('c');
  });

  it('does not store a member whose removal was sent during the request', async () => {
    pages = { '': { items: [row('a'), row('b')], next: null } };
    await enqueue(db, { kind: 'unpass', targetUserId: 'a' });
    duringRequest = () => db.outbox.clear();
    await refreshMirror(db, mirror());
    expect(await ids()).toBe('b');
  });

  it('keeps a member who was added during the request', async () => {
    await db.passes.bulkPut([row('a'), row('b')]);
    pages = { '': { items: [], next: null } };
    duringRequest = async () => guard.markAdded(db, 'a');
    await refreshMirror(db, mirror());
    expect(await ids()).toBe('a');
  });
});
