import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../api/request.ts';
import { enqueue } from '../outbox/outbox.ts';
import type { HeartwardDb, PassedRow } from '../store/db.ts';
import { getMeta } from '../store/meta.ts';
import { purgeMember } from '../store/purge.ts';
import { freshDb, summary } from '../testkit.ts';
import { fetchNextPage, type Page, refreshMirror, tableMirror } from './mirror.ts';
import { RemovalGuard } from './removalGuard.ts';

const { user } = summary();
/** A row of the member with this id; the later its letter, the older it is. */
const row = (id: string): PassedRow => ({ user: { ...user, id }, passedAt: String(200 - id.charCodeAt(0)) });

let db: HeartwardDb;
let pages: Record<string, Page<PassedRow> | ApiError>;
/** Runs while the server answers. */
let meanwhile: () => Promise<unknown>;
let guard: RemovalGuard;

const mirror = () =>
  tableMirror<PassedRow>({
    table: (of) => of.passes,
    cursorKey: 'passes:next',
    sortTimeOf: ({ passedAt }) => passedAt,
    memberOf: (of) => of.user.id,
    guard,
    fetch: async (_, cursor = '') => {
      await meanwhile();
      const page = pages[cursor];
      if (!page || page instanceof ApiError) throw page ?? new Error(`no page ${cursor}`);
      return page;
    },
  });
const ids = async () => (await db.passes.orderBy('passedAt').reverse().primaryKeys()).join('');

beforeEach(async () => {
  db = await freshDb();
  meanwhile = async () => undefined;
  guard = new RemovalGuard((body) => {
    if (body.kind === 'unpass') return { removes: body.targetUserId };
    return body.kind === 'pass' ? { returns: body.targetUserId } : null;
  });
});

describe('a mirrored list', () => {
  it('stores the pages one after the other, and keeps what follows a refreshed first page', async () => {
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

  it('begins again when the server no longer knows the cursor', async () => {
    pages = { '': { items: [row('a')], next: '2' }, 2: new ApiError(422, 'invalid', 'no such cursor') };
    const list = mirror();
    await refreshMirror(db, list);
    pages[''] = { items: [row('z')], next: null };
    await fetchNextPage(db, list);
    expect(await ids()).toBe('z');
  });

  it('leaves out members who were removed or purged while the server answered', async () => {
    pages = { '': { items: [row('a'), row('b'), row('c')], next: null } };
    meanwhile = async () => {
      await enqueue({ kind: 'unpass', targetUserId: 'a' });
      await purgeMember(db, 'b');
    };
    await refreshMirror(db, mirror());
    expect(await ids()).toBe('c');
  });

  it('leaves out a member whose answer arrived at the server meanwhile', async () => {
    pages = { '': { items: [row('a'), row('b')], next: null } };
    await enqueue({ kind: 'unpass', targetUserId: 'a' });
    meanwhile = () => db.outbox.clear();
    await refreshMirror(db, mirror());
    expect(await ids()).toBe('b');
  });

  it('keeps a member who was put back while the server answered', async () => {
    await db.passes.bulkPut([row('a'), row('b')]);
    pages = { '': { items: [], next: null } };
    meanwhile = async () => guard.markReturned('a');
    await refreshMirror(db, mirror());
    expect(await ids()).toBe('a');
  });
});
