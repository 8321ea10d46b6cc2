import 'fake-indexeddb/auto';
import Dexie, { type Table } from 'dexie';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConversationSummary, Match, Message, SyncDelta } from '../../api/types.ts';
import { enqueue } from '../outbox/outbox.ts';
import type { HeartwardDb } from '../store/db.ts';
import { MERGE_TABLES, mergePage, mergeSummary } from '../store/merge.ts';
import { setMeta } from '../store/meta.ts';
import { onPurge } from '../store/purge.ts';
import { prune } from '../store/quota.ts';
import { CONVERSATION, freshDb, json, ME, message, PEER, summary } from '../testkit.ts';
import { applyChange, applyMessage } from './apply.ts';
import { fetchBackTo, fetchOlder, fetchUnread } from './olderMessages.ts';
import {
  enqueueDelivered,
  fetchDelta,
  findConversation,
  markRead,
  storeConversation as storeFromResponse,
  sync,
  syncForScreen,
} from './sync.ts';

onPurge({ remove: (db, { userId }) => db.matches.filter(({ user }) => user.id === userId).delete() });

let db: HeartwardDb;
/** The seq of the server's newest message, and its pages of /api/sync by cursor. */
let serverSeq: number;
let pages: Record<string, Partial<SyncDelta>>;
let requests: string[];
let changes: Message[];
/** A cursor that the server rejects. */
let rejectedCursor: string | null;

const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => message(from + index));

function messagesPage(query: URLSearchParams): Response {
  const after = query.get('after');
  const before = query.get('before');
  if (after !== null) return json(200, range(Number(after) + 1, Math.min(serverSeq, Number(after) + 50)));
  const to = before === null ? serverSeq : Number(before) - 1;
  return json(200, range(Math.max(1, to - 49), to));
}

beforeEach(async () => {
  serverSeq = 0;
  pages = {};
  requests = [];
  changes = [];
  rejectedCursor = null;
  vi.stubGlobal('fetch', async (input: Request | string) => {
    const url = new URL(typeof input === 'string' ? input : input.url, 'http://x');
    requests.push(url.pathname + url.search);
    const cursor = url.searchParams.get('cursor') ?? '';
    if (url.pathname === '/api/sync' && cursor === rejectedCursor) return json(422, { kind: 'invalid' });
    if (url.pathname === '/api/sync') return json(200, { reset: cursor === '', ...pages[cursor] });
    if (url.pathname.endsWith('/changes')) return json(200, changes);
    if (url.pathname.endsWith('/receipts')) return new Response(null, { status: 204 });
    if (url.pathname === `/api/messages/${CONVERSATION}`) return messagesPage(url.searchParams);
    return url.pathname === '/api/conversations' ? json(200, []) : json(404, { kind: 'not found' });
  });
  db = await freshDb();
  return () => vi.unstubAllGlobals();
});

const storedSeqs = async () =>
  (await db.messages.orderBy('[conversationId+order]').toArray()).map((row) => row.seq);
const storeConversation = (change: Partial<ConversationSummary> = {}) =>
  db.transact(['conversations'], (tx) => mergeSummary(tx, summary(change)));
const storeRange = (from: number, to: number) =>
  db.transact(MERGE_TABLES, (tx) => mergePage(tx, ME, range(from, to)));

it('fetches missing messages when an event skips a seq', async () => {
  await storeConversation();
  await storeRange(1, 2);
  serverSeq = 5;
  await applyMessage(db, message(5));
  expect(await storedSeqs()).toEqual([1, 2, 3, 4, 5]);
  expect(requests).toContain(`/api/messages/${CONVERSATION}?after=2&limit=50`);
  expect(await db.conversations.get(CONVERSATION)).toMatchObject({ unreadCount: 5, deliveredSeq: 5 });
});

it('appends the message with the next seq without a request', async () => {
  await storeConversation();
  await storeRange(1, 2);
  await applyMessage(db, message(3));
  expect(await storedSeqs()).toEqual([1, 2, 3]);
  expect(requests.filter((path) => path.includes('after='))).toEqual([]);
});

it('fetches pages up to the last and stores its cursor', async () => {
  serverSeq = 3;
  pages[''] = {
    cursor: 'c1',
    hasMore: true,
    conversations: [summary({ lastSeq: 3, unreadCount: 3 })],
    removed: [],
  };
  pages.c1 = { cursor: 'c2', hasMore: false, conversations: [], removed: [] };
  await sync(db);
  expect(await storedSeqs()).toEqual([1, 2, 3]);
  expect((await db.meta.get('syncCursor'))?.value).toBe('c2');
  pages.c2 = { cursor: 'c3', hasMore: false, conversations: [], removed: [CONVERSATION] };
  await sync(db);
  expect([await db.conversations.count(), await db.messages.count()]).toEqual([0, 0]);
});

it('replaces the thread by the newest page when many messages are missing', async () => {
  await storeConversation();
  await storeRange(1, 10);
  serverSeq = 1000;
  pages[''] = { cursor: 'c', hasMore: false, conversations: [summary({ lastSeq: 1000 })], removed: [] };
  await sync(db);
  expect(await db.threads.get(CONVERSATION)).toMatchObject({ firstSeq: 951, lastSeq: 1000 });
  expect(await db.messages.count()).toBe(50);
});

it('an older page stored during the replacement leaves no gap in the thread', async () => {
  await storeConversation();
  await storeRange(101, 110);
  serverSeq = 1000;
  pages[''] = { cursor: 'c', hasMore: false, conversations: [summary({ lastSeq: 1000 })], removed: [] };
  let olderFetch: Promise<unknown> = Promise.resolve();
  const storeOlderPage = () => {
    olderFetch = Dexie.ignoreTransaction(() =>
      db.transact(MERGE_TABLES, (tx) => mergePage(tx, ME, range(51, 100).reverse())),
    );
  };
  db.threads.hook('deleting', storeOlderPage);
  await sync(db);
  await olderFetch;
  db.threads.hook('deleting').unsubscribe(storeOlderPage);
  expect(await db.threads.get(CONVERSATION)).toMatchObject({ firstSeq: 951, lastSeq: 1000 });
});

it('fetchOlder fetches pages of older messages', async () => {
  serverSeq = 80;
  await storeConversation();
  await storeRange(51, 80);
  expect(await fetchOlder(db, CONVERSATION)).toBe(true);
  expect(await db.threads.get(CONVERSATION)).toMatchObject({ firstSeq: 1, lastSeq: 80 });
  expect(await fetchOlder(db, CONVERSATION)).toBe(false);
});

it('markRead enqueues one receipt', async () => {
  await storeConversation({ lastSeq: 4, unreadCount: 4 });
  await markRead(db, CONVERSATION, 4);
  await markRead(db, CONVERSATION, 4);
  expect(await db.conversations.get(CONVERSATION)).toMatchObject({ readSeq: 4, unreadCount: 0 });
  expect((await db.outbox.toArray()).map(({ body }) => body)).toEqual([
    { kind: 'receipt', deliveredSeq: 4, readSeq: 4 },
  ]);
});

it.each([CONVERSATION, PEER, 'match-1'])(
  'findConversation finds a stored conversation by member, match and own id: %s',
  async (id) => {
    await storeConversation();
    expect(await findConversation(db, id)).toBe(CONVERSATION);
    expect(requests).toEqual([]);
    expect(await findConversation(db, 'unknown')).toBeNull();
  },
);

it('prune keeps the last 500 messages and a month of the feed', async () => {
  await storeRange(1, 520);
  const now = Date.now();
  const candidate = {} as never;
  await db.feed.bulkPut([
    { list: 'forYou', id: 'old', rank: 0, candidate, fetchedAt: now - 31 * 86_400_000 },
    { list: 'forYou', id: 'new', rank: 1, candidate, fetchedAt: now },
  ]);
  await prune(db, now);
  expect(await db.messages.count()).toBe(500);
  expect(await db.threads.get(CONVERSATION)).toMatchObject({ firstSeq: 21, lastSeq: 520 });
  expect((await db.feed.toArray()).map((row) => row.id)).toEqual(['new']);
});

it('stores the read position and its receipt in one transaction', async () => {
  await storeConversation({ lastSeq: 2, unreadCount: 2 });
  await storeRange(1, 2);
  const put = vi.spyOn(db.outbox, 'put').mockRejectedValue(new Error('disk full'));
  await expect(markRead(db, CONVERSATION, 2)).rejects.toThrow('disk full');
  await expect(enqueueDelivered(db, CONVERSATION)).rejects.toThrow('disk full');
  put.mockRestore();
  expect(await db.conversations.get(CONVERSATION)).toMatchObject({
    readSeq: 0,
    deliveredSeq: 0,
    unreadCount: 2,
  });
});

it('keeps the old messages if the newest cannot be fetched', async () => {
  await storeConversation();
  await storeRange(1, 2);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  await expect(fetchDelta(db, CONVERSATION, 900)).rejects.toThrow();
  expect(await storedSeqs()).toEqual([1, 2]);
});

it('purges the other member of a conversation that the server has removed, including unsent messages', async () => {
  await storeConversation();
  await storeRange(1, 2);
  await db.matches.put({ id: 'match-1', user: summary().user } as Match);
  await enqueue(db, {
    kind: 'message',
    conversationId: CONVERSATION,
    recipientId: PEER,
    content: 'too late',
  });
  pages[''] = { cursor: 'c1', hasMore: false, conversations: [], removed: [CONVERSATION] };
  await sync(db);
  const tables = [db.conversations, db.messages, db.threads, db.matches, db.outbox] as Table[];
  expect(await Promise.all(tables.map((table) => table.count()))).toEqual([0, 0, 0, 0, 0]);
  expect(await db.meta.get('undelivered'), 'a toast will report it').toBeTruthy();
});

it('a screen and the socket that sync at the same time send one request', async () => {
  pages.c1 = { cursor: 'c1', hasMore: false, conversations: [], removed: [] };
  await setMeta(db, 'syncCursor', 'c1');
  const screen = syncForScreen(db);
  await sync(db);
  await screen;
  expect(requests).toEqual(['/api/sync?cursor=c1']);
  // Without a connected socket the screen syncs itself.
  db = await freshDb();
  await setMeta(db, 'syncCursor', 'c1');
  await syncForScreen(db, 1);
  expect(requests).toHaveLength(2);
});

it('a screen of a new device syncs without waiting for the socket', async () => {
  pages[''] = { cursor: 'c1', hasMore: false, conversations: [], removed: [] };
  await syncForScreen(db, 600_000);
  expect(requests).toEqual(['/api/sync']);
});

it('the first sync removes stored conversations that the server does not have', async () => {
  await storeConversation();
  await storeRange(1, 2);
  await db.conversations.put({ ...summary({ id: 'gone' }), userId: 'other', sortAt: '' });
  await enqueue(db, { kind: 'message', conversationId: 'gone', recipientId: 'other', content: 'too late' });
  pages[''] = { cursor: 'c1', hasMore: false, conversations: [summary()], removed: [] };
  await sync(db);
  expect(await db.conversations.toCollection().primaryKeys()).toEqual([CONVERSATION]);
  expect(await db.meta.get('undelivered')).toBeTruthy();
});

describe('changes of messages', () => {
  const changedMessage = (seq: number, rev: number) => message(seq, { rev, receiverReaction: '🎉' });
  const reactions = async () => (await db.messages.toArray()).map((row) => row.receiverReaction);

  it('are fetched when the list has a newer rev', async () => {
    await storeConversation();
    await storeRange(1, 3);
    serverSeq = 3;
    changes = [changedMessage(1, 1), changedMessage(3, 4)];
    await db.meta.put({ key: 'syncCursor', value: 'c0' });
    pages.c0 = {
      cursor: 'c1',
      hasMore: false,
      conversations: [summary({ lastSeq: 3, lastRev: 4 })],
      removed: [],
    };
    await sync(db);
    expect(await reactions()).toEqual(['🎉', null, '🎉']);
    expect((await db.threads.get(CONVERSATION))?.rev).toBe(4);
  });

  it('are fetched when an event skips a rev', async () => {
    await storeConversation();
    await storeRange(1, 2);
    changes = [changedMessage(1, 1), changedMessage(2, 2)];
    await applyChange(db, changedMessage(2, 2));
    expect(await reactions()).toEqual(['🎉', '🎉']);
    expect(requests.filter((path) => path.includes('changes'))).toHaveLength(1);
    await applyChange(db, changedMessage(1, 3));
    expect(
      requests.filter((path) => path.includes('changes')),
      'the next change needs no request',
    ).toHaveLength(1);
  });

  it('from before the first page of a thread are in that page', async () => {
    await storeConversation({ lastSeq: 2, lastRev: 9 });
    serverSeq = 2;
    await fetchDelta(db, CONVERSATION);
    expect((await db.threads.get(CONVERSATION))?.rev).toBe(9);
    await applyChange(db, changedMessage(1, 10));
    expect(requests.filter((path) => path.includes('changes'))).toEqual([]);
  });
});

it('the first sync keeps a conversation that was opened and read before its response', async () => {
  serverSeq = 2;
  await storeConversation({ lastSeq: 2, unreadCount: 2 });
  await fetchDelta(db, CONVERSATION);
  await markRead(db, CONVERSATION, 2);
  requests = [];
  const conversation = summary({ lastSeq: 2, unreadCount: 2 });
  pages[''] = { cursor: 'c1', hasMore: false, conversations: [conversation], removed: [] };
  await sync(db);
  expect(await db.conversations.get(CONVERSATION)).toMatchObject({ readSeq: 2, unreadCount: 0 });
  expect((await db.outbox.toArray()).map(({ body }) => body)).toMatchObject([
    { kind: 'receipt', readSeq: 2 },
  ]);
  expect(
    requests.filter((path) => path.includes('?')),
    'the thread is not fetched a second time',
  ).toEqual([]);
});

it('repeats a running sync whose response may be older than a stored conversation', async () => {
  const pinned = summary({ pinnedAt: '2026-11-20T12:00:00.000Z' });
  pages = {
    '': { conversations: [summary()], removed: [], cursor: 'earlier', hasMore: false },
    earlier: { conversations: [pinned], removed: [], cursor: 'later', hasMore: false },
  };
  const respondAtOnce = fetch;
  let respond: () => void = () => undefined;
  const storedFirst = new Promise<void>((resolve) => {
    respond = resolve;
  });
  vi.stubGlobal('fetch', async (input: Request | string) => {
    const response = await respondAtOnce(input);
    await storedFirst;
    return response;
  });
  const running = sync(db);
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  await storeFromResponse(db, pinned);
  respond();
  await running;
  expect(await db.conversations.get(CONVERSATION)).toMatchObject({ pinnedAt: pinned.pinnedAt });
});

it('a conversation that was looked up does not replace the row that a sync has stored meanwhile', async () => {
  const pinnedAt = '2026-11-20T12:00:00.000Z';
  const fetchOthers = fetch;
  vi.stubGlobal('fetch', async (input: Request | string) => {
    if (
      !new URL(typeof input === 'string' ? input : input.url, 'http://x').pathname.endsWith('/conversations')
    )
      return fetchOthers(input);
    await db.transact(['conversations'], (tx) => mergeSummary(tx, summary({ pinnedAt })));
    return json(200, [summary()]);
  });
  expect(await findConversation(db, PEER)).toBe(CONVERSATION);
  expect(await db.conversations.get(CONVERSATION)).toMatchObject({ pinnedAt });
});

it('replaces all rows after the server has rejected the cursor', async () => {
  await storeConversation({ lastSeq: 2, readSeq: 2 });
  await db.meta.put({ key: 'syncCursor', value: 'strange' });
  rejectedCursor = 'strange';
  await expect(sync(db)).rejects.toThrow();
  pages[''] = {
    cursor: 'c1',
    hasMore: false,
    conversations: [summary({ readSeq: 1, lastSeq: 1 })],
    removed: [],
  };
  await sync(db);
  expect(await db.conversations.get(CONVERSATION)).toMatchObject({ readSeq: 1, lastSeq: 1 });
});

it('fetchBackTo fetches pages back to a message', async () => {
  await storeConversation({ lastSeq: 200 });
  serverSeq = 200;
  await storeRange(151, 200);
  expect(await fetchBackTo(db, CONVERSATION, 60)).toBe(true);
  expect((await storedSeqs())[0]).toBe(51);
  expect(await fetchBackTo(db, CONVERSATION, 201)).toBe(false);
});

it('fetchUnread fetches the unread messages, up to a limit', async () => {
  await storeConversation({ lastSeq: 1000 });
  serverSeq = 1000;
  await fetchUnread(db, CONVERSATION, 820);
  expect((await storedSeqs())[0], 'without stored messages the newest page is fetched too').toBe(801);
  await fetchUnread(db, CONVERSATION, 900);
  expect((await storedSeqs())[0], 'stored messages are not fetched again').toBe(801);
  await fetchUnread(db, CONVERSATION, 1);
  expect((await storedSeqs())[0]).toBe(401);
});

it('fetchUnread fetches the messages after the stored ones', async () => {
  await storeConversation({ lastSeq: 130 });
  serverSeq = 130;
  await storeRange(51, 100);
  await fetchUnread(db, CONVERSATION, 101);
  expect((await storedSeqs()).slice(-30)).toEqual(Array.from({ length: 30 }, (_, index) => 101 + index));
});
