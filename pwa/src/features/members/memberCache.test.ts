import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Candidate, Compatibility, PublicMember } from '@/api/types.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { purgeMember } from '@/offline/store/purge.ts';
import { freshDb, json, PEER } from '@/offline/testkit.ts';
import { fetchMember, readMember } from './memberCache.ts';

let db: HeartwardDb;

const member = { id: PEER, firstName: 'Ada' } as PublicMember;
const serve = (answer: typeof fetch) => vi.stubGlobal('fetch', answer);

beforeEach(async () => {
  db = await freshDb();
  return () => vi.unstubAllGlobals();
});

const compatibility = { overall: 88 } as Compatibility;
const isCompatibility = (input: RequestInfo | URL) => new Request(input).url.includes('/api/compatibility/');

test('stores the member and how well the two fit in one step', async () => {
  const stored: unknown[] = [];
  db.profiles.hook('creating', (_key, row) => void stored.push(row));
  serve(async (input) => json(200, isCompatibility(input) ? compatibility : member));
  await fetchMember(db, PEER);
  expect(await readMember(db, PEER)).toEqual({ member, compatibility });
  expect(stored).toMatchObject([{ member, compatibility }]);
});

test('stores the member also when only the compatibility cannot be had, with the one known before', async () => {
  serve(async (input) => (isCompatibility(input) ? json(500, {}) : json(200, member)));
  await fetchMember(db, PEER);
  expect(await readMember(db, PEER)).toEqual({ member, compatibility: null });
  await db.profiles.update(PEER, { compatibility });
  await fetchMember(db, PEER);
  expect(await readMember(db, PEER)).toEqual({ member, compatibility });
});

test('shows nothing any more of whom the server does not show, for one they blocked the member', async () => {
  await db.profiles.put({ id: PEER, member, fetchedAt: 1 });
  await db.feed.put({ list: 'discover', id: PEER, rank: 0, candidate: member as Candidate, fetchedAt: 1 });
  serve(async () => json(404, { kind: 'not_found', detail: 'Gone' }));
  await expect(fetchMember(db, PEER)).rejects.toMatchObject({ status: 404 });
  expect(await readMember(db, PEER)).toBeNull();
});

test('keeps what it has without a network', async () => {
  await db.profiles.put({ id: PEER, member, fetchedAt: 1 });
  serve(() => Promise.reject(new TypeError('no network')));
  await expect(fetchMember(db, PEER)).rejects.toMatchObject({ status: 0 });
  expect(await readMember(db, PEER)).not.toBeNull();
});

test('does not bring back who was blocked while the server answered', async () => {
  serve(async () => {
    await purgeMember(db, PEER);
    return json(200, member);
  });
  await fetchMember(db, PEER);
  expect(await readMember(db, PEER)).toBeNull();
});
