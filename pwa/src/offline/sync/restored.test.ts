import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Attachment, ConversationSummary, Message, SyncDelta } from '../../api/types.ts';
import { enqueue } from '../outbox/outbox.ts';
import { retry } from '../outbox/rejected.ts';
import type { HeartwardDb } from '../store/db.ts';
import { MERGE_TABLES, mergePage, mergeReceipt, mergeSummary } from '../store/merge.ts';
import { prune } from '../store/quota.ts';
import { CONVERSATION, freshDb, json, ME, message, PEER, summary } from '../testkit.ts';
import { applyChange, applyMessage } from './apply.ts';
import { fetchBackTo, fetchOlder } from './older.ts';
import { fetchChanges, markRead, sync } from './sync.ts';

let db: HeartwardDb;
/** What the server holds after the restore, and its answers to GET /api/sync by cursor. */
let server: Message[];
let deltas: Record<string, SyncDelta>;
let asked: string[];
/** What this device tried to write; the network fails before an answer. */
let written: string[];
/** Answers instead of the server where it returns something; may throw like a lost network. */
let instead: (url: URL) => Response | undefined;

const range = (from: number, to: number, change: Partial<Message> = {}) =>
  Array.from({ length: to - from + 1 }, (_, index) => message(from + index, change));
/** A message of the time after the restore, with a number that was taken before. */
const renumbered = (seq: number, change: Partial<Message> = {}) =>
  message(seq, { id: `new-${seq}`, clientId: `new-client-${seq}`, content: `new ${seq}`, ...change });
const delta = (change: Partial<SyncDelta>): SyncDelta => ({
  cursor: 'new',
  reset: false,
  hasMore: false,
  conversations: [],
  removed: [],
  ...change,
});
const restored = (change: Partial<ConversationSummary> = {}) =>
  summary({ lastSeq: 13, readSeq: 10, deliveredSeq: 10, unreadCount: 3, ...change });

function answer(path: string, query: URLSearchParams): Response {
  if (path === '/api/sync') {
    const cursor = query.get('cursor') ?? '';
    return json(200, deltas[cursor] ?? delta({ cursor }));
  }
  if (path.endsWith('/changes')) return json(200, []);
  if (path !== `/api/messages/${CONVERSATION}`) return json(404, { kind: 'not_found' });
  const after = Number(query.get('after') ?? -1);
  const before = Number(query.get('before') ?? 1e9);
  if (after >= 0) return json(200, server.filter(({ seq }) => seq > after).slice(0, 50));
  return json(200, server.filter(({ seq }) => seq < before).slice(-50));
}

beforeEach(async () => {
  db = await freshDb();
  asked = [];
  written = [];
  instead = () => undefined;
  vi.stubGlobal('fetch', async (request: Request) => {
    const url = new URL(request.url);
    if (request.method !== 'GET') {
      written.push(await request.text());
      throw new TypeError('offline');
    }
    asked.push(url.pathname + url.search);
    return instead(url) ?? answer(url.pathname, url.searchParams);
  });
  await db.transact(['conversations'], (tx) =>
    mergeSummary(tx, summary({ lastSeq: 15, readSeq: 15, deliveredSeq: 15, lastRev: 4 })),
  );
  await hold(range(1, 15));
  await db.meta.put({ key: 'syncCursor', value: 'old' });
  server = [...range(1, 10), ...[11, 12, 13].map((seq) => renumbered(seq))];
  deltas = { old: delta({ reset: true, conversations: [restored()] }) };
  return () => vi.unstubAllGlobals();
});

const hold = (page: Message[], rev = 0) => db.transact(MERGE_TABLES, (tx) => mergePage(tx, ME, page, rev));
const contents = async () =>
  (await db.messages.orderBy('[conversationId+order]').toArray()).map(({ content }) => content);
const conversation = () => db.conversations.get(CONVERSATION);
const afterRestore = [...range(1, 10), ...[11, 12, 13].map((seq) => renumbered(seq))].map(
  ({ content }) => content,
);

describe('a sync that finds the server put back in time', () => {
  it('drops what the server lost and shows what is new, with the right badge', async () => {
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

  it('replaces a thread that was behind the backup too', async () => {
    await db.messages.clear();
    await db.threads.clear();
    await hold(range(1, 12));
    server = [...range(1, 11), ...[12, 13].map((seq) => renumbered(seq))];
    await sync(db);
    expect((await contents()).slice(-3)).toEqual(['message 11', 'new 12', 'new 13']);
  });

  it('goes on where it was interrupted', async () => {
    deltas = {
      old: delta({ cursor: 'second', reset: true, hasMore: true }),
      second: delta({ conversations: [restored()] }),
    };
    instead = ({ search }) => {
      if (search.includes('second')) throw new TypeError('offline');
      return undefined;
    };
    await expect(sync(db)).rejects.toThrow();
    instead = () => undefined;
    await sync(db);
    expect(await contents()).toEqual(afterRestore);
    expect(await conversation()).toMatchObject({ lastSeq: 13, unreadCount: 3 });
  });

  it('removes a conversation that the list does not bring', async () => {
    deltas.old = delta({ reset: true });
    instead = ({ pathname }) => (pathname === '/api/sync' ? undefined : json(404, { kind: 'not_found' }));
    await sync(db);
    expect([await db.conversations.count(), await db.messages.count(), await db.threads.count()]).toEqual([
      0, 0, 0,
    ]);
  });

  it('keeps the thread for reading until the newest page has come', async () => {
    instead = ({ pathname }) => {
      if (pathname.startsWith('/api/messages')) throw new TypeError('offline');
      return undefined;
    };
    await expect(sync(db)).rejects.toThrow();
    expect(await contents()).toHaveLength(15);
    await markRead(db, CONVERSATION, 15);
    expect((await conversation())?.readSeq, 'not above what the server has').toBe(13);
  });

  it('leaves an emptied conversation empty', async () => {
    server = [];
    deltas.old = delta({
      reset: true,
      conversations: [restored({ lastSeq: 0, readSeq: 0, unreadCount: 0 })],
    });
    await sync(db);
    expect(await contents()).toEqual([]);
    expect(await db.threads.count()).toBe(0);
  });
});

describe("the member's own words", () => {
  const mine = { senderId: ME };

  it('which the server lost are offered to be sent again, under their own client id', async () => {
    await db.messages.clear();
    await db.threads.clear();
    await hold([...range(1, 10), message(11), message(12, { ...mine, readAt: 'then', content: 'lost' })]);
    await sync(db);
    expect((await contents()).slice(-4)).toEqual(['new 11', 'new 12', 'new 13', 'lost']);
    const row = await db.messages.get([ME, 'client-12']);
    expect(row).toMatchObject({ state: 'failed', id: null, seq: null, readAt: null });
    await retry('client-12');
    await vi.waitFor(() => expect(written.join()).toContain('"clientId":"client-12"'));
    expect(await db.messages.get([ME, 'client-12'])).toMatchObject({ state: 'waiting', content: 'lost' });
  });

  it('are not offered any more when another device has sent them', async () => {
    await db.messages.clear();
    await db.threads.clear();
    await hold([...range(1, 10), message(11, { ...mine, content: 'lost' })]);
    await sync(db);
    server.push(message(14, { ...mine, id: 'again', clientId: 'client-11', content: 'lost' }));
    await applyMessage(db, server[13] as Message);
    expect((await contents()).slice(-2)).toEqual(['new 13', 'lost']);
    await prune(db);
    expect(await db.outbox.filter(({ kind }) => kind === 'message').count()).toBe(0);
  });

  it('of before the backup stay as they are', async () => {
    await db.messages.clear();
    await db.threads.clear();
    await hold([...range(1, 10, mine), message(11)]);
    server = [...range(1, 10, mine), renumbered(11)];
    await sync(db);
    expect(await db.outbox.filter(({ kind }) => kind === 'message').count()).toBe(0);
    expect((await contents()).slice(-2)).toEqual(['message 10', 'new 11']);
  });

  it('are distinguished although more has been written since than a page holds', async () => {
    await db.messages.clear();
    await db.threads.clear();
    await hold([...range(1, 10, mine), message(11, { ...mine, content: 'lost' })]);
    server = [...range(1, 10, mine), ...Array.from({ length: 70 }, (_, index) => renumbered(11 + index))];
    deltas.old = delta({ reset: true, conversations: [restored({ lastSeq: 80 })] });
    await sync(db);
    const refused = await db.messages.filter(({ state }) => state === 'failed').toArray();
    expect(refused.map(({ content }) => content)).toEqual(['lost']);
    expect(await db.threads.get(CONVERSATION)).toMatchObject({ firstSeq: 31, lastSeq: 80 });
  });

  it('with a recording are offered while the recording is on the device', async () => {
    const attachments = (id: string) => [{ ...voice, id }];
    await db.messages.clear();
    await db.threads.clear();
    await hold([
      ...range(1, 10),
      message(11, { ...mine, messageType: 'audio', content: '', attachments: attachments('here') }),
      message(12, { ...mine, messageType: 'audio', content: '', attachments: attachments('gone') }),
    ]);
    const blob = new Blob(['sound']);
    await db.blobs.put({
      id: 'here',
      conversationId: CONVERSATION,
      keep: 'sent',
      blob,
      poster: null,
      bytes: 5,
      usedAt: 0,
    });
    await sync(db);
    const rows = await db.outbox.filter(({ kind }) => kind === 'message').toArray();
    expect(rows).toMatchObject([{ clientId: 'client-11', body: { attachments: [{ localId: 'here' }] } }]);
    expect(await db.blobs.get('here')).toMatchObject({ keep: 'unsent' });
  });

  it('which were not sent yet stay and name no other message', async () => {
    await enqueue({
      kind: 'message',
      conversationId: CONVERSATION,
      recipientId: PEER,
      content: 'waiting',
      replyTo: 14,
    });
    await enqueue({ kind: 'reaction', conversationId: CONVERSATION, seq: 12, emoji: '🎉' });
    await enqueue({ kind: 'delete', conversationId: CONVERSATION, seq: 9 });
    await enqueue({ kind: 'receipt', conversationId: CONVERSATION, readSeq: 15 });
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
  it('with a number that another message has find the restore out', async () => {
    server = [...range(1, 10), renumbered(11)];
    deltas.old = delta({
      reset: true,
      conversations: [restored({ lastSeq: 11, unreadCount: 1 })],
    });
    await applyMessage(db, renumbered(11));
    expect((await contents()).slice(-2)).toEqual(['message 10', 'new 11']);
    expect(await conversation()).toMatchObject({ lastSeq: 11, unreadCount: 1 });
  });

  it('that come during the sync are neither lost nor counted twice', async () => {
    deltas.old = delta({ reset: true, conversations: [restored({ lastSeq: 13 })] });
    deltas.new = delta({ cursor: 'newer', conversations: [restored({ lastSeq: 14, unreadCount: 4 })] });
    server.push(renumbered(14));
    await Promise.all([sync(db), applyMessage(db, renumbered(14))]);
    await sync(db);
    expect((await contents()).at(-1)).toBe('new 14');
    expect(await conversation()).toMatchObject({ lastSeq: 14, unreadCount: 4 });
  });

  it('do not touch what is stale', async () => {
    await db.conversations.update(CONVERSATION, { stale: true });
    await db.threads.update(CONVERSATION, { stale: true });
    await db.transact(['conversations'], (tx) =>
      mergeReceipt(tx, ME, { conversationId: CONVERSATION, by: PEER, readSeq: 99 }),
    );
    expect((await conversation())?.peerReadSeq).toBe(0);
    await applyChange(db, renumbered(11, { rev: 1, receiverReaction: '🎉' }));
    expect((await contents()).at(-1), 'a change replaces the thread first').toBe('new 13');
    await fetchChanges(db, CONVERSATION);
  });

  it('of the same message again change nothing', async () => {
    await applyMessage(db, message(15));
    expect(asked).toEqual([]);
    expect((await db.threads.get(CONVERSATION))?.stale).toBeUndefined();
  });
});

it('reads back in a stale thread only after it was replaced', async () => {
  await db.messages.clear();
  await db.threads.clear();
  await hold(range(11, 15));
  await db.threads.update(CONVERSATION, { stale: true });
  expect(await fetchBackTo(db, CONVERSATION, 5)).toBe(true);
  expect(await contents()).toEqual(afterRestore);
  expect(await fetchOlder(db, CONVERSATION)).toBe(false);
});

it('repairs a conversation whose numbers contradict although the server was not put back', async () => {
  deltas.old = delta({ cursor: 'old' });
  instead = ({ pathname }) =>
    pathname === `/api/conversations/with/${CONVERSATION}` ? json(200, restored()) : undefined;
  await applyMessage(db, renumbered(13));
  expect(await contents()).toEqual(afterRestore);
  expect(await conversation()).toMatchObject({ lastSeq: 13, unreadCount: 3 });
});
