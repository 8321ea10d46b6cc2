import 'fake-indexeddb/auto';
import { act, createElement } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Match, PlannedDate } from '@/api/types.ts';
import { cancelUnmatch, unmatch } from '@/domain/unmatch.ts';
import { drain } from '@/offline/outbox/drain.ts';
import { senderOf } from '@/offline/outbox/sender.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { setMeta } from '@/offline/store/meta.ts';
import { purgeMember } from '@/offline/store/purge.ts';
import type { ConversationRow } from '@/offline/store/rows.ts';
import { createMemberRoot, freshDb } from '@/offline/testkit.ts';
import { claimCelebration } from './celebration.ts';
import { byUnread, markMatchesSeen, readMatches, refreshMatches, useMarkMatchSeen } from './matches.ts';

const match = (id: string, seen = false): Match => ({
  id,
  user: {
    id: `user-${id}`,
    firstName: id,
    fullName: id,
    age: 30,
    city: '',
    bio: '',
    profileImageUrl: null,
    placeholder: '',
    isVerified: false,
  },
  conversationId: `conversation-${id}`,
  matchedAt: '2026-11-20T10:00:00.000Z',
  seen,
  unread: 0,
  lastMessageAt: null,
  theirLike: null,
  myLike: null,
});

let db: HeartwardDb;
let online: boolean;
let seenOnServer: string[];
const signal = new AbortController().signal;

/** Fakes a server with these pages of matches that records which were marked as seen. */
function serve(pages: Match[][], meanwhile?: () => Promise<unknown>) {
  vi.stubGlobal('fetch', async (request: Request) => {
    if (!online) throw new TypeError('no network');
    const url = new URL(request.url);
    if (request.method === 'POST') {
      seenOnServer.push(url.pathname);
      return new Response(null, { status: 204 });
    }
    await meanwhile?.();
    const index = Number(url.searchParams.get('cursor') ?? 0);
    const headers = new Headers({ 'Content-Type': 'application/json' });
    if (pages[index + 1]) headers.set('Link', `</api/matches?cursor=${index + 1}>; rel="next"`);
    return new Response(JSON.stringify(pages[index]), { headers });
  });
}

const rows = async () => (await db.matches.orderBy('id').toArray()).map(({ id, seen }) => [id, seen]);

beforeEach(async () => {
  localStorage.setItem('hw.member', '019a0000-0000-7000-8000-00000000000a');
  db = await freshDb();
  senderOf(db).setDrain(drain);
  await Promise.all(db.tables.map((table) => table.clear()));
  online = true;
  seenOnServer = [];
});

test('a refresh stores all pages of the server and removes other matches', async () => {
  await db.matches.put(match('gone'));
  serve([[match('a')], [match('b', true)]]);
  await refreshMatches(db, signal);
  expect(await rows()).toEqual([
    ['a', false],
    ['b', true],
  ]);
});

test('a refresh keeps a match that arrived live during the request', async () => {
  serve([[match('a')]], () => db.matches.put(match('live')));
  await refreshMatches(db, signal);
  expect(await rows()).toEqual([
    ['a', false],
    ['live', false],
  ]);
});

test('a refresh does not restore a match that ended during the request', async () => {
  await db.matches.bulkPut([match('a'), match('ended')]);
  serve([[match('a'), match('ended')]], () => db.matches.delete('ended'));
  await refreshMatches(db, signal);
  expect(await rows()).toEqual([['a', false]]);
});

test('byUnread puts unread matches first, by newest message, and keeps the order of the others', () => {
  const listed = (id: string, unread: number, lastMessageAt: string | null = null) => ({
    ...match(id),
    unread,
    lastMessageAt,
    isEnding: false,
  });
  const list = [
    listed('quiet', 0, '2026-11-21'),
    listed('early', 1, '2026-11-19'),
    listed('silent', 0),
    listed('late', 3, '2026-11-20'),
  ];
  expect(byUnread(list).map(({ id }) => id)).toEqual(['late', 'early', 'quiet', 'silent']);
});

test('a match marked as seen offline stays seen, and the next refresh sends it to the server', async () => {
  serve([[match('a'), match('b')]]);
  await refreshMatches(db, signal);
  online = false;
  await markMatchesSeen(db, ['a']);
  expect(seenOnServer).toEqual([]);
  expect(await rows()).toEqual([
    ['a', true],
    ['b', false],
  ]);
  online = true;
  await refreshMatches(db, signal);
  await vi.waitFor(() => expect(seenOnServer).toEqual(['/api/matches/a/seen']));
  expect(await rows()).toEqual([
    ['a', true],
    ['b', false],
  ]);
});

function Conversation({ id }: { id: string }) {
  useMarkMatchSeen(id);
  return null;
}

test.each([
  ['match', 'a'],
  ['conversation', 'conversation-a'],
  ['member', 'user-a'],
])('opening a conversation by the id of the %s marks the match as seen', async (_, id) => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  serve([[]]);
  await db.matches.bulkPut([match('a'), match('b')]);
  const root = createMemberRoot(document.createElement('div'));
  await act(async () => root.render(createElement(Conversation, { id })));
  await vi.waitFor(() => expect(seenOnServer).toEqual(['/api/matches/a/seen']));
  expect(await rows()).toEqual([
    ['a', true],
    ['b', false],
  ]);
  await act(async () => root.unmount());
});

test('only the first claim of a match succeeds', async () => {
  const claims = await Promise.all([
    claimCelebration(db, 'm1'),
    claimCelebration(db, 'm1'),
    claimCelebration(db, 'm2'),
  ]);
  expect(claims.sort()).toEqual([false, true, true]);
  expect(await claimCelebration(db, 'm1')).toBe(false);
});

test('a celebration with a purged member cannot be claimed', async () => {
  const announcement = { userId: 'user-m3', at: Date.now() };
  await purgeMember(db, 'user-m3');
  expect(await claimCelebration(db, 'm3', announcement)).toBe(false);
  expect(await claimCelebration(db, 'm3', { userId: 'user-m4', at: announcement.at }), 'with another').toBe(
    true,
  );
});

test('only conversations with a message that are no requests are counted', async () => {
  const conversation = (id: string, lastSeq: number, request: ConversationRow['request']) =>
    ({ id, userId: id, lastSeq, request, lastMessage: null }) as unknown as ConversationRow;
  await db.conversations.bulkPut([
    conversation('talk', 3, 'none'),
    conversation('silent', 0, 'none'),
    conversation('asked', 1, 'received'),
    conversation('asking', 1, 'sent'),
  ]);
  expect((await readMatches(db)).conversations, 'before the first sync').toBeUndefined();
  await setMeta(db, 'syncCursor', 'cursor');
  expect((await readMatches(db)).conversations).toBe(1);
});

test('the accepted dates on the device are counted, without those that did not happen', async () => {
  const date = (id: string, status: PlannedDate['status'], met?: 'yes' | 'no') =>
    ({
      id,
      status,
      at: '2026-11-20T10:00:00.000Z',
      feedback: met ? { met } : null,
    }) as unknown as PlannedDate;
  await db.dates.bulkPut([
    date('agreed', 'accepted'),
    date('happened', 'accepted', 'yes'),
    date('missed', 'accepted', 'no'),
    date('asked', 'proposed'),
    date('off', 'cancelled'),
  ]);
  expect((await readMatches(db)).datesOnDevice).toBe(2);
});

test('a match that ends says so until the end is undone', async () => {
  online = false;
  await db.matches.bulkPut([match('a'), match('b')]);
  await unmatch(db, 'b', 'user-b');
  const endingOf = async () => (await readMatches(db)).list.map(({ id, isEnding }) => [id, isEnding]).sort();
  expect(await endingOf()).toEqual([
    ['a', false],
    ['b', true],
  ]);
  await cancelUnmatch(db, 'user-b');
  expect(await endingOf()).toEqual([
    ['a', false],
    ['b', false],
  ]);
});
