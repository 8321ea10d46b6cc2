import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { senderOf } from '@/offline/outbox/sender.ts';
import type { Attachment, ConversationSummary, Message, SyncDelta } from '../../api/types.ts';
import { drain } from '../outbox/drain.ts';
import { enqueue } from '../outbox/outbox.ts';
import { retry } from '../outbox/rejectedRows.ts';
import type { HeartwardDb } from '../store/db.ts';
import { putFile } from '../store/fileRows.ts';
import { MERGE_TABLES, mergePage, mergeReceipt, mergeSummary } from '../store/merge.ts';
import { prune } from '../store/quota.ts';
import { CONVERSATION, freshDb, json, ME, message, PEER, summary } from '../testkit.ts';
import { applyChange, applyMessage } from './apply.ts';
import { fetchBackTo, fetchOlder } from './olderMessages.ts';
import { fetchChanges, markRead, sync } from './sync.ts';

let db: HeartwardDb;
/** The server's messages after the restore, and its responses to GET /api/sync by cursor. */
let server: Message[];
let deltas: Record<string, SyncDelta>;
let requests: string[];
/** The bodies that this device has sent; each request fails with a network error. */
let sentBodies: string[];
/** Its result, unless undefined, replaces the server's response; it may throw a network error. */
let intercept: (url: URL) => Response | undefined;

const range = (from: number, to: number, change: Partial<Message> = {}) =>
  Array.from({ length: to - from + 1 }, (_, index) => message(from + index, change));
/** A message from after the restore, with the seq of a lost one. */
const renumberedMessage = (seq: number, change: Partial<Message> = {}) =>
  message(seq, { id: `new-${seq}`, clientId: `new-client-${seq}`, content: `new ${seq}`, ...change });
const delta = (change: Partial<SyncDelta>): SyncDelta => ({
  cursor: 'new',
  reset: false,
  hasMore: false,
  conversations: [],
  removed: [],
  ...change,
});
const restoredSummary = (change: Partial<ConversationSummary> = {}) =>
  summary({ lastSeq: 13, readSeq: 10, deliveredSeq: 10, unreadCount: 3, ...change });

function respond(path: string, query: URLSearchParams): Response {
  if (path === '/api/sync') {
    const cursor = query.get('cursor') ?? '';
    return json(200, deltas[cursor] ?? delta({ cursor }));
  }
  if (path === '/api/conversations' || path.endsWith('/changes')) return json(200, []);
  if (path !== `/api/messages/${CONVERSATION}`) return json(404, { kind: 'not_found' });
  const after = Number(query.get('after') ?? -1);
  const before = Number(query.get('before') ?? 1e9);
  if (after >= 0) return json(200, server.filter(({ seq }) => seq > after).slice(0, 50));
  return json(200, server.filter(({ seq }) => seq < before).slice(-50));
}

beforeEach(async () => {
  db = await freshDb();
  senderOf(db).setDrain(drain);
  requests = [];
  sentBodies = [];
  intercept = () => undefined;
  vi.stubGlobal('fetch', async (request: Request) => {
    const url = new URL(request.url);
    if (request.method !== 'GET') {
      sentBodies.push(await request.text());
      throw new TypeError('offline');
    }
    requests.push(url.pathname + url.search);
    return intercept(url) ?? respond(url.pathname, url.searchParams);
  });
  await db.transact(['conversations'], (tx) =>
    mergeSummary(tx, summary({ lastSeq: 15, readSeq: 15, deliveredSeq: 15, lastRev: 4 })),
  );
  await storeMessages(range(1, 15));
  await db.meta.put({ key: 'syncCursor', value: 'old' });
  server = [...range(1, 10), ...[11, 12, 13].map((seq) => renumberedMessage(seq))];
  deltas = { old: delta({ reset: true, conversations: [restoredSummary()] }) };
  return () => vi.unstubAllGlobals();
});

const storeMessages = (page: Message[], rev = 0) =>
  db.transact(MERGE_TABLES, (tx) => mergePage(tx, ME, page, rev));
const contents = async () =>
  (await db.messages.orderBy('[conversationId+order]').toArray()).map(({ content }) => content);
const conversation = () => db.conversations.get(CONVERSATION);
const afterRestore = [...range(1, 10), ...[11, 12, 13].map((seq) => renumberedMessage(seq))].map(
  ({ content }) => content,
);

describe('a sync after a restore of the server', () => {
  it('deletes the lost messages, stores the new ones and corrects the unread count', async () => {
    await sync(db);
    expect(await contents()).toEqual(afterRestore);
    expect(await db.threads.get(CONVERSATION)).toEqual({
      conversationId: CONVERSATION,
      firstSeq: 1,
      lastSeq: 13,
      rev: 0,
    });
    expect(await conversation()).toMatchObject({ lastSeq: 13, lastRev: 0, readSeq: 10, unreadCount: 3 });
    expect((await conversation())?.stale).toBeUndefined();
  });

  it('replaces a thread that ends after the backup and before the server’s newest message', async () => {
    await db.messages.clear();
    await db.threads.clear();
    await storeMessages(range(1, 12));
    server = [...range(1, 11), ...[12, 13].map((seq) => renumberedMessage(seq))];
    await sync(db);
    expect((await contents()).slice(-3)).toEqual(['message 11', 'new 12', 'new 13']);
  });

  it('continues after an interruption', async () => {
    deltas = {
      old: delta({ cursor: 'second', reset: true, hasMore: true }),
      second: delta({ conversations: [restoredSummary()] }),
    };
    intercept = ({ search }) => {
      if (search.includes('second')) throw new TypeError('offline');
      return undefined;
    };
    await expect(sync(db)).rejects.toThrow();
    intercept = () => undefined;
    await sync(db);
    expect(await contents()).toEqual(afterRestore);
    expect(await conversation()).toMatchObject({ lastSeq: 13, unreadCount: 3 });
  });

  it('removes a conversation that the server no longer has', async () => {
    deltas.old = delta({ reset: true });
    intercept = ({ pathname }) =>
      ['/api/sync', '/api/conversations'].includes(pathname) ? undefined : json(404, { kind: 'not_found' });
    await sync(db);
    expect([await db.conversations.count(), await db.messages.count(), await db.threads.count()]).toEqual([
      0, 0, 0,
    ]);
  });

  it('keeps the old thread until the newest page is stored', async () => {
    intercept = ({ pathname }) => {
      if (pathname.startsWith('/api/messages')) throw new TypeError('offline');
      return undefined;
    };
    await expect(sync(db)).rejects.toThrow();
    expect(await contents()).toHaveLength(15);
    await markRead(db, CONVERSATION, 15);
    expect((await conversation())?.readSeq, 'at most the server’s newest seq').toBe(13);
  });

  it('stores no message of an empty conversation', async () => {
    server = [];
    deltas.old = delta({
      reset: true,
      conversations: [restoredSummary({ lastSeq: 0, readSeq: 0, unreadCount: 0 })],
    });
    await sync(db);
    expect(await contents()).toEqual([]);
    expect(await db.threads.count()).toBe(0);
  });
});

describe("the member's own messages", () => {
  const ownSender = { senderId: ME };

  it('become rejected if lost, and keep their client id when sent again', async () => {
    await db.messages.clear();
    await db.threads.clear();
    await storeMessages([
      ...range(1, 10),
      message(11),
      message(12, { ...ownSender, readAt: 'then', content: 'lost' }),
    ]);
    await sync(db);
    expect((await contents()).slice(-4)).toEqual(['new 11', 'new 12', 'new 13', 'lost']);
    const row = await db.messages.get([ME, 'client-12']);
    expect(row).toMatchObject({ state: 'failed', id: null, seq: null, readAt: null });
    await retry(db, 'client-12');
    await vi.waitFor(() => expect(sentBodies.join()).toContain('"clientId":"client-12"'));
    expect(await db.messages.get([ME, 'client-12'])).toMatchObject({ state: 'waiting', content: 'lost' });
  });

  it('are no longer rejected when another device has sent them again', async () => {
    await db.messages.clear();
    await db.threads.clear();
    await storeMessages([...range(1, 10), message(11, { ...ownSender, content: 'lost' })]);
    await sync(db);
    server.push(message(14, { ...ownSender, id: 'again', clientId: 'client-11', content: 'lost' }));
    await applyMessage(db, server[13] as Message);
    expect((await contents()).slice(-2)).toEqual(['new 13', 'lost']);
    await prune(db);
    expect(await db.outbox.filter(({ kind }) => kind === 'message').count()).toBe(0);
  });

  it('from before the backup are unchanged', async () => {
    await db.messages.clear();
    await db.threads.clear();
    await storeMessages([...range(1, 10, ownSender), message(11)]);
    server = [...range(1, 10, ownSender), renumberedMessage(11)];
    await sync(db);
    expect(await db.outbox.filter(({ kind }) => kind === 'message').count()).toBe(0);
    expect((await contents()).slice(-2)).toEqual(['message 10', 'new 11']);
  });

  it('are compared although the server has more than a page of new messages', async () => {
    await db.messages.clear();
    await db.threads.clear();
    await storeMessages([...range(1, 10, ownSender), message(11, { ...ownSender, content: 'lost' })]);
    server = [
      ...range(1, 10, ownSender),
      ...Array.from({ length: 70 }, (_, index) => renumberedMessage(11 + index)),
    ];
    deltas.old = delta({ reset: true, conversations: [restoredSummary({ lastSeq: 80 })] });
    await sync(db);
    const rejected = await db.messages.filter(({ state }) => state === 'failed').toArray();
    expect(rejected.map(({ content }) => content)).toEqual(['lost']);
    expect(await db.threads.get(CONVERSATION)).toMatchObject({ firstSeq: 31, lastSeq: 80 });
  });

  it('with a recording become rejected only if the recording is on the device', async () => {
    const attachments = (id: string) => [{ ...voice, id }];
    await db.messages.clear();
    await db.threads.clear();
    await storeMessages([
      ...range(1, 10),
      message(11, { ...ownSender, messageType: 'audio', content: '', attachments: attachments('here') }),
      message(12, { ...ownSender, messageType: 'audio', content: '', attachments: attachments('gone') }),
    ]);
    const blob = new Blob(['sound']);
    await putFile(db, {
      id: 'here',
      conversationId: CONVERSATION,
      keep: 'sent',
      blob,
      poster: null,
      bytes: 5,
    });
    await sync(db);
    const rows = await db.outbox.filter(({ kind }) => kind === 'message').toArray();
    expect(rows).toMatchObject([{ clientId: 'client-11', body: { attachments: [{ localId: 'here' }] } }]);
    expect(await db.files.get('here')).toMatchObject({ keep: 'unsent' });
  });

  it('that are unsent are kept, without references to lost messages', async () => {
    await enqueue(db, {
      kind: 'message',
      conversationId: CONVERSATION,
      recipientId: PEER,
      content: 'waiting',
      replyTo: 14,
    });
    await enqueue(db, { kind: 'reaction', conversationId: CONVERSATION, seq: 12, emoji: '🎉' });
    await enqueue(db, { kind: 'delete', conversationId: CONVERSATION, seq: 9 });
    await enqueue(db, { kind: 'receipt', conversationId: CONVERSATION, readSeq: 15 });
    await sync(db);
    const rows = (await db.outbox.toArray()).filter(({ kind }) => kind !== 'receipt');
    expect(rows.map(({ kind }) => kind).sort()).toEqual(['delete', 'message']);
    expect(rows.find(({ kind }) => kind === 'message')?.body).not.toHaveProperty('replyTo');
    const receipts = await db.outbox.filter(({ kind }) => kind === 'receipt').toArray();
    expect(receipts.map(({ body }) => body)).toEqual([{ kind: 'receipt', deliveredSeq: 13 }]);
    expect((await contents()).at(-1)).toBe('waiting');
  });
});

const voice = {
  kind: 'audio',
  mimeType: 'audio/webm',
  bytes: 5,
  width: null,
  height: null,
  durationMs: 900,
  waveform: [],
  placeholder: '',
  url: '/files/here/original',
  thumbUrl: null,
  posterUrl: null,
} as unknown as Attachment;

describe('live events', () => {
  it('with the seq of another message reveal the restore', async () => {
    server = [...range(1, 10), renumberedMessage(11)];
    deltas.old = delta({
      reset: true,
      conversations: [restoredSummary({ lastSeq: 11, unreadCount: 1 })],
    });
    await applyMessage(db, renumberedMessage(11));
    expect((await contents()).slice(-2)).toEqual(['message 10', 'new 11']);
    expect(await conversation()).toMatchObject({ lastSeq: 11, unreadCount: 1 });
  });

  it('during the sync are neither lost nor counted twice', async () => {
    deltas.old = delta({ reset: true, conversations: [restoredSummary({ lastSeq: 13 })] });
    deltas.new = delta({
      cursor: 'newer',
      conversations: [restoredSummary({ lastSeq: 14, unreadCount: 4 })],
    });
    server.push(renumberedMessage(14));
    await Promise.all([sync(db), applyMessage(db, renumberedMessage(14))]);
    await sync(db);
    expect((await contents()).at(-1)).toBe('new 14');
    expect(await conversation()).toMatchObject({ lastSeq: 14, unreadCount: 4 });
  });

  it('do not change stale rows', async () => {
    await db.conversations.update(CONVERSATION, { stale: true });
    await db.threads.update(CONVERSATION, { stale: true });
    await db.transact(['conversations'], (tx) =>
      mergeReceipt(tx, ME, { conversationId: CONVERSATION, by: PEER, readSeq: 99 }),
    );
    expect((await conversation())?.peerReadSeq).toBe(0);
    await applyChange(db, renumberedMessage(11, { rev: 1, receiverReaction: '🎉' }));
    expect((await contents()).at(-1), 'a change replaces the thread first').toBe('new 13');
    await fetchChanges(db, CONVERSATION);
  });

  it('of a stored message change nothing', async () => {
    await applyMessage(db, message(15));
    expect(requests).toEqual([]);
    expect((await db.threads.get(CONVERSATION))?.stale).toBeUndefined();
  });
});

it('older messages of a stale thread are fetched only after it was replaced', async () => {
  await db.messages.clear();
  await db.threads.clear();
  await storeMessages(range(11, 15));
  await db.threads.update(CONVERSATION, { stale: true });
  expect(await fetchBackTo(db, CONVERSATION, 5)).toBe(true);
  expect(await contents()).toEqual(afterRestore);
  expect(await fetchOlder(db, CONVERSATION)).toBe(false);
});

it('replaces a conversation whose messages were renumbered without a restore', async () => {
  deltas.old = delta({ cursor: 'old' });
  intercept = ({ pathname, searchParams }) =>
    pathname === '/api/conversations' && searchParams.get('with') === CONVERSATION
      ? json(200, [restoredSummary()])
      : undefined;
  await applyMessage(db, renumberedMessage(13));
  expect(await contents()).toEqual(afterRestore);
  expect(await conversation()).toMatchObject({ lastSeq: 13, unreadCount: 3 });
});
