import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Candidate, Compatibility, PublicMember } from '@/api/types.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { purgeMember } from '@/offline/store/purge.ts';
import { freshDb, json, PEER } from '@/offline/testkit.ts';
import { fetchMember, readMember } from './memberCache.ts';

let db: HeartwardDb;

const member = { id: PEER, firstName: 'Ada' } as PublicMember;
const serve = (fetchFake: typeof fetch) => vi.stubGlobal('fetch', fetchFake);

beforeEach(async () => {
  db = await freshDb();
  return () => vi.unstubAllGlobals();
});

const compatibility = { overall: 88 } as Compatibility;
const isCompatibility = (input: RequestInfo | URL) => new Request(input).url.includes('/api/compatibility/');

test('stores the member and the compatibility in one write', async () => {
  const stored: unknown[] = [];
  db.profiles.hook('creating', (_key, row) => void stored.push(row));
  serve(async (input) => json(200, isCompatibility(input) ? compatibility : member));
  await fetchMember(db, PEER);
  expect(await readMember(db, PEER)).toEqual({ member, compatibility });
  expect(stored).toMatchObject([{ member, compatibility }]);
});

test('stores the member with the previous compatibility when only that request fails', async () => {
  serve(async (input) => (isCompatibility(input) ? json(500, {}) : json(200, member)));
  await fetchMember(db, PEER);
  expect(await readMember(db, PEER)).toEqual({ member, compatibility: null });
  await db.profiles.update(PEER, { compatibility });
  await fetchMember(db, PEER);
  expect(await readMember(db, PEER)).toEqual({ member, compatibility });
});

test('removes a member whom the server does not show any more, such as one who has blocked the viewer', async () => {
  await db.profiles.put({ id: PEER, member, fetchedAt: 1 });
  await db.feed.put({ list: 'discover', id: PEER, rank: 0, candidate: member as Candidate, fetchedAt: 1 });
  serve(async () => json(404, { kind: 'not_found', detail: 'Gone' }));
  await expect(fetchMember(db, PEER)).rejects.toMatchObject({ status: 404 });
  expect(await readMember(db, PEER)).toBeNull();
});

test('keeps the stored member when offline', async () => {
  await db.profiles.put({ id: PEER, member, fetchedAt: 1 });
  serve(() => Promise.reject(new TypeError('no network')));
  await expect(fetchMember(db, PEER)).rejects.toMatchObject({ status: 0 });
  expect(await readMember(db, PEER)).not.toBeNull();
});

test('does not restore a member who was blocked during the request', async () => {
  serve(async () => {
    await purgeMember(db, PEER);
    return json(200, member);
  });
  await fetchMember(db, PEER);
  expect(await readMember(db, PEER)).toBeNull();
});
