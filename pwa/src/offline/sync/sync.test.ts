import 'fake-indexeddb/auto';
import Dexie, { type Table } from 'dexie';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConversationSummary, Match, Message, SyncDelta } from '../../api/types.ts';
import { enqueue } from '../outbox/outbox.ts';
import type { HeartwardDb } from '../store/db.ts';
import { MERGE_TABLES, mergePage, mergeSummary } from '../store/merge.ts';
import { onPurge } from '../store/purge.ts';
import { prune } from '../store/quota.ts';
import { CONVERSATION, freshDb, json, ME, message, PEER, summary } from '../testkit.ts';
import { applyChange, applyMessage } from './apply.ts';
import { fetchBackTo, fetchOlder, fetchUnread } from './older.ts';
import { enqueueDelivered, fetchDelta, findConversation, markRead, sync } from './sync.ts';

onPurge({ remove: (db, { userId }) => db.matches.filter(({ user }) => user.id === userId).delete() });

let db: HeartwardDb;
/** What the server holds: so many messages of the peer, and the pages of /api/sync by cursor. */
let serverSeq: number;
let pages: Record<string, Partial<SyncDelta>>;
let asked: string[];
let changes: Message[];
/** A cursor that the server does not take. */
let refused: string | null;

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
  asked = [];
  changes = [];
  refused = null;
  vi.stubGlobal('fetch', async (input: Request | string) => {
    const url = new URL(typeof input === 'string' ? input : input.url, 'http://x');
    asked.push(url.pathname + url.search);
    const cursor = url.searchParams.get('cursor') ?? '';
    if (url.pathname === '/api/sync' && cursor === refused) return json(422, { kind: 'invalid' });
    if (url.pathname === '/api/sync') return json(200, { reset: cursor === '', ...pages[cursor] });
    if (url.pathname.endsWith('/changes')) return json(200, changes);
    if (url.pathname.endsWith('/receipts')) return new Response(null, { status: 204 });
    if (url.pathname === `/api/messages/${CONVERSATION}`) return messagesPage(url.searchParams);
    return json(404, { kind: 'not found' });
  });
  db = await freshDb();
  return () => vi.unstubAllGlobals();
});

const held = async () =>
  (await db.messages.orderBy('[conversationId+order]').toArray()).map((row) => row.seq);
const listed = (change: Partial<ConversationSummary> = {}) =>
  db.transact(['conversations'], (tx) => mergeSummary(tx, summary(change)));
const holds = (from: number, to: number) =>
  db.transact(MERGE_TABLES, (tx) => mergePage(tx, ME, range(from, to)));

it('fetches what is missing when an event skips a number', async () => {
  await listed();
  await holds(1, 2);
  serverSeq = 5;
  await applyMessage(db, message(5));
  expect(await held()).toEqual([1, 2, 3, 4, 5]);
  expect(asked).toContain(`/api/messages/${CONVERSATION}?after=2&limit=50`);
  expect(await db.conversations.get(CONVERSATION)).toMatchObject({ unreadCount: 5, deliveredSeq: 5 });
});

it('appends the next number without asking', async () => {
  await listed();
  await holds(1, 2);
  await applyMessage(db, message(3));
  expect(await held()).toEqual([1, 2, 3]);
  expect(asked.filter((path) => path.includes('after='))).toEqual([]);
});

it('follows the cursor to the end and keeps the last', async () => {
  serverSeq = 3;
  pages[''] = {
    cursor: 'c1',
    hasMore: true,
    conversations: [summary({ lastSeq: 3, unreadCount: 3 })],
    removed: [],
  };
  pages.c1 = { cursor: 'c2', hasMore: false, conversations: [], removed: [] };
  await sync(db);
  expect(await held()).toEqual([1, 2, 3]);
  expect((await db.meta.get('syncCursor'))?.value).toBe('c2');
  pages.c2 = { cursor: 'c3', hasMore: false, conversations: [], removed: [CONVERSATION] };
  await sync(db);
  expect([await db.conversations.count(), await db.messages.count()]).toEqual([0, 0]);
});

it('fetches the newest page afresh when it is far behind', async () => {
  await listed();
  await holds(1, 10);
  serverSeq = 1000;
  pages[''] = { cursor: 'c', hasMore: false, conversations: [summary({ lastSeq: 1000 })], removed: [] };
  await sync(db);
  expect(await db.threads.get(CONVERSATION)).toMatchObject({ firstSeq: 951, lastSeq: 1000 });
  expect(await db.messages.count()).toBe(50);
});

it('holds no older page apart from the newest, which was stored while it was far behind', async () => {
  await listed();
  await holds(101, 110);
  serverSeq = 1000;
  pages[''] = { cursor: 'c', hasMore: false, conversations: [summary({ lastSeq: 1000 })], removed: [] };
  let older: Promise<unknown> = Promise.resolve();
  const late = () => {
    older = Dexie.ignoreTransaction(() =>
      db.transact(MERGE_TABLES, (tx) => mergePage(tx, ME, range(51, 100).reverse())),
    );
  };
  db.threads.hook('deleting', late);
  await sync(db);
  await older;
  db.threads.hook('deleting').unsubscribe(late);
  expect(await db.threads.get(CONVERSATION)).toMatchObject({ firstSeq: 951, lastSeq: 1000 });
});

it('pages back through older messages', async () => {
  serverSeq = 80;
  await listed();
  await holds(51, 80);
  expect(await fetchOlder(db, CONVERSATION)).toBe(true);
  expect(await db.threads.get(CONVERSATION)).toMatchObject({ firstSeq: 1, lastSeq: 80 });
  expect(await fetchOlder(db, CONVERSATION)).toBe(false);
});

it('marks as read once, and tells the server through the outbox', async () => {
  await listed({ lastSeq: 4, unreadCount: 4 });
  await markRead(db, CONVERSATION, 4);
  await markRead(db, CONVERSATION, 4);
  expect(await db.conversations.get(CONVERSATION)).toMatchObject({ readSeq: 4, unreadCount: 0 });
  await vi.waitFor(() => expect(asked.filter((path) => path.endsWith('/receipts'))).toHaveLength(1));
});

it.each([CONVERSATION, PEER, 'match-1'])(
  'finds a conversation by member, match and own id without a network: %s',
  async (id) => {
    await listed();
    expect(await findConversation(db, id)).toBe(CONVERSATION);
    expect(asked).toEqual([]);
    expect(await findConversation(db, 'unknown')).toBeNull();
  },
);

it('keeps the last 500 messages and a month of feed', async () => {
  await holds(1, 520);
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

it('stores what is read and the receipt that says so together or not at all', async () => {
  await listed({ lastSeq: 2, unreadCount: 2 });
  await holds(1, 2);
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

it('keeps the old messages for reading until the newest have come', async () => {
  await listed();
  await holds(1, 2);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  await expect(fetchDelta(db, CONVERSATION, 900)).rejects.toThrow();
  expect(await held()).toEqual([1, 2]);
});

it('takes the other member away with a conversation that the server shows no more, unsent words too', async () => {
  await listed();
  await holds(1, 2);
  await db.matches.put({ id: 'match-1', user: summary().user } as Match);
  await enqueue({ kind: 'message', conversationId: CONVERSATION, recipientId: PEER, content: 'too late' });
  pages[''] = { cursor: 'c1', hasMore: false, conversations: [], removed: [CONVERSATION] };
  await sync(db);
  const left = [db.conversations, db.messages, db.threads, db.matches, db.outbox] as Table[];
  expect(await Promise.all(left.map((table) => table.count()))).toEqual([0, 0, 0, 0, 0]);
  expect(await db.meta.get('undelivered'), 'and it is not done without a word').toBeTruthy();
});

it('asks once when the screen and the socket want to catch up at the same time', async () => {
  vi.resetModules();
  const fresh = await import('./sync.ts');
  pages[''] = { cursor: 'c1', hasMore: false, conversations: [], removed: [] };
  const screen = fresh.syncForScreen(db);
  await fresh.sync(db);
  await screen;
  expect(asked).toEqual(['/api/sync']);
  // The socket may be long in coming, or never.
  pages.c1 = pages[''];
  vi.resetModules();
  await (await import('./sync.ts')).syncForScreen(db, 1);
  expect(asked).toEqual(['/api/sync', '/api/sync?cursor=c1']);
});

it('finds out what is gone when there is no cursor yet that could name it', async () => {
  await listed();
  await holds(1, 2);
  await db.conversations.put({ ...summary({ id: 'gone' }), userId: 'other', sortAt: '' });
  await enqueue({ kind: 'message', conversationId: 'gone', recipientId: 'other', content: 'too late' });
  pages[''] = { cursor: 'c1', hasMore: false, conversations: [summary()], removed: [] };
  await sync(db);
  expect(await db.conversations.toCollection().primaryKeys()).toEqual([CONVERSATION]);
  expect(await db.meta.get('undelivered')).toBeTruthy();
});

describe('changes of messages', () => {
  const changed = (seq: number, rev: number) => message(seq, { rev, receiverReaction: '🎉' });
  const reactions = async () => (await db.messages.toArray()).map((row) => row.receiverReaction);

  it('are fetched when the list knows of more than the device', async () => {
    await listed();
    await holds(1, 3);
    serverSeq = 3;
    changes = [changed(1, 1), changed(3, 4)];
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

  it('are fetched when an event skips one', async () => {
    await listed();
    await holds(1, 2);
    changes = [changed(1, 1), changed(2, 2)];
    await applyChange(db, changed(2, 2));
    expect(await reactions()).toEqual(['🎉', '🎉']);
    expect(asked.filter((path) => path.includes('changes'))).toHaveLength(1);
    await applyChange(db, changed(1, 3));
    expect(
      asked.filter((path) => path.includes('changes')),
      'the next needs no asking',
    ).toHaveLength(1);
  });

  it('before the first page of a thread are in that page', async () => {
    await listed({ lastSeq: 2, lastRev: 9 });
    serverSeq = 2;
    await fetchDelta(db, CONVERSATION);
    expect((await db.threads.get(CONVERSATION))?.rev).toBe(9);
    await applyChange(db, changed(1, 10));
    expect(asked.filter((path) => path.includes('changes'))).toEqual([]);
  });
});

it('keeps what was opened and read before the first sync of a device answered', async () => {
  serverSeq = 2;
  await listed({ lastSeq: 2, unreadCount: 2 });
  await fetchDelta(db, CONVERSATION);
  await markRead(db, CONVERSATION, 2);
  asked = [];
  const begins = summary({ lastSeq: 2, unreadCount: 2 });
  pages[''] = { cursor: 'c1', hasMore: false, conversations: [begins], removed: [] };
  await sync(db);
  expect(await db.conversations.get(CONVERSATION)).toMatchObject({ readSeq: 2, unreadCount: 0 });
  expect((await db.outbox.toArray()).map(({ body }) => body)).toMatchObject([
    { kind: 'receipt', readSeq: 2 },
  ]);
  expect(
    asked.filter((path) => path.includes('?')),
    'the thread is not fetched a second time',
  ).toEqual([]);
});

it('replaces what is held once the server refused the cursor', async () => {
  await listed({ lastSeq: 2, readSeq: 2 });
  await db.meta.put({ key: 'syncCursor', value: 'strange' });
  refused = 'strange';
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

it('goes back as far as a message that is asked for', async () => {
  await listed({ lastSeq: 200 });
  serverSeq = 200;
  await holds(151, 200);
  expect(await fetchBackTo(db, CONVERSATION, 60)).toBe(true);
  expect((await held())[0]).toBe(51);
  expect(await fetchBackTo(db, CONVERSATION, 201)).toBe(false);
});

it('fetches the new messages before a conversation opens, but no more than one waits for', async () => {
  await listed({ lastSeq: 1000 });
  serverSeq = 1000;
  await fetchUnread(db, CONVERSATION, 820);
  expect((await held())[0], 'the newest page as well, where none was held').toBe(801);
  await fetchUnread(db, CONVERSATION, 900);
  expect((await held())[0], 'what is there is not fetched again').toBe(801);
  await fetchUnread(db, CONVERSATION, 1);
  expect((await held())[0]).toBe(401);
});

it('fetches the new messages of a conversation of which only what came before is held', async () => {
  await listed({ lastSeq: 130 });
  serverSeq = 130;
  await holds(51, 100);
  await fetchUnread(db, CONVERSATION, 101);
  expect((await held()).slice(-30)).toEqual(Array.from({ length: 30 }, (_, index) => 101 + index));
});
