import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '@/api/request.ts';
import type { Candidate, Compatibility, PublicMember } from '@/api/types.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { purgeMember } from '@/offline/store/purge.ts';
import { freshDb, json, ME, PEER } from '@/offline/testkit.ts';
import { describeMissingRest, fetchMember, readMember, storeCard } from './memberCache.ts';

let db: HeartwardDb;

const member = { id: PEER, firstName: 'Ada' } as PublicMember;
const card = {
  id: PEER,
  firstName: 'Ada',
  bio: 'From the card',
  photos: [],
  compatibility: { overall: 70 },
} as unknown as Candidate;
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
  expect(await readMember(db, PEER)).toEqual({ member, isCard: false, compatibility, shownTo: null });
  expect(stored).toMatchObject([{ member, compatibility }]);
});

test('stores the member with the previous compatibility when only that request fails', async () => {
  serve(async (input) => (isCompatibility(input) ? json(500, {}) : json(200, member)));
  await fetchMember(db, PEER);
  expect(await readMember(db, PEER)).toEqual({ member, isCard: false, compatibility: null, shownTo: null });
  await db.profiles.update(PEER, { compatibility });
  await fetchMember(db, PEER);
  expect(await readMember(db, PEER)).toEqual({ member, isCard: false, compatibility, shownTo: null });
});

test("stores the member's own profile as strangers get it, without a compatibility", async () => {
  const own = { ...member, id: ME };
  const requested: string[] = [];
  serve(async (input) => {
    requested.push(new URL(new Request(input).url).pathname);
    return json(200, { member: own, shownTo: 'liked' });
  });
  await fetchMember(db, ME);
  expect(requested).toEqual(['/api/users/me/as-stranger']);
  expect(await readMember(db, ME)).toEqual({
    member: own,
    isCard: false,
    compatibility: null,
    shownTo: 'liked',
  });
});

test('removes a member whom the server does not show any more, such as one who has blocked the viewer', async () => {
  await db.profiles.put({ id: PEER, member, fetchedAt: 1 });
  await db.feed.put({ list: 'discover', id: PEER, rank: 0, candidate: card, fetchedAt: 1 });
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

test('a card never replaces a stored profile, and is replaced by it', async () => {
  await db.feed.put({ list: 'discover', id: PEER, rank: 0, candidate: card, fetchedAt: 1 });
  expect(await readMember(db, PEER)).toMatchObject({
    isCard: true,
    member: { bio: 'From the card', prompts: [] },
    compatibility: { overall: 70 },
  });
  await storeCard(db, card);
  expect(await db.profiles.get(PEER)).toMatchObject({ isCard: true });
  serve(async (input) => json(200, isCompatibility(input) ? compatibility : { ...member, bio: 'Whole' }));
  await fetchMember(db, PEER);
  await storeCard(db, card);
  await db.feed.put({ list: 'forYou', id: PEER, rank: 0, candidate: card, fetchedAt: 2 });
  expect(await readMember(db, PEER)).toMatchObject({ isCard: false, member: { bio: 'Whole' } });
});

test('says why only a card is shown', () => {
  const offline = new ApiError(0, 'network', 'no network');
  expect(describeMissingRest(offline)).toBe('The rest of this profile loads when you are online.');
});
