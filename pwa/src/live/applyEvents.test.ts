import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConversationSummary } from '@/api/types.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { ConversationRow } from '@/offline/store/rows.ts';
import { sync } from '@/offline/sync/sync.ts';
import { CONVERSATION, freshDb, json, ME, message, PEER, summary } from '@/offline/testkit.ts';
import { applyEvents } from './applyEvents.ts';
import { Socket } from './socket.ts';

const OTHER_PEER = '019a0000-0000-7000-8000-00000000000e';
const OTHER_CONVERSATION = '019a0000-0000-7000-8000-0000000000c2';

let db: HeartwardDb;
let socket: Socket;
let fake: WebSocket;
/** Delivers a frame to the socket. */
let receive: (frame: object) => void;
/** Responds to the pending requests for the first conversation's messages. */
let respondDelta: (response: Response) => void;
/** The next responses to GET /api/sync; later ones are empty. */
let syncResponses: (Response | Promise<Response>)[];
let stop: () => void;

const conversation = (change: Partial<ConversationRow> = {}): ConversationRow => ({
  ...summary(),
  userId: PEER,
  sortAt: '2026-11-20T10:00:00.000Z',
  ...change,
});

beforeEach(async () => {
  db = await freshDb();
  syncResponses = [];
  const user = { ...summary().user, id: OTHER_PEER, firstName: 'Ben' };
  await db.conversations.bulkPut([
    conversation({ lastSeq: 1 }),
    conversation({ id: OTHER_CONVERSATION, matchId: 'match-2', user, userId: OTHER_PEER }),
  ]);
  await db.threads.bulkPut([
    { conversationId: CONVERSATION, firstSeq: 1, lastSeq: 1, rev: 0 },
    { conversationId: OTHER_CONVERSATION, firstSeq: 1, lastSeq: 1, rev: 0 },
  ]);
  const delta = new Promise<Response>((resolve) => {
    respondDelta = resolve;
  });
  vi.stubGlobal('fetch', async (input: Request | string) => {
    const { pathname } = new URL(typeof input === 'string' ? input : input.url, 'http://x');
    if (pathname === `/api/messages/${CONVERSATION}`) return (await delta).clone();
    if (pathname === '/api/sync')
      return (
        syncResponses.shift() ?? json(200, { conversations: [], removed: [], cursor: 'c', hasMore: false })
      );
    return pathname.startsWith('/api/messages/') ? json(200, []) : new Response(null, { status: 204 });
  });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  fake = { send: () => undefined, close: () => undefined } as unknown as WebSocket;
  socket = new Socket({
    url: () => 'ws://x/ws',
    open: () => fake,
    onSignedOut: () => undefined,
    onRefused: () => undefined,
  });
  socket.connect();
  receive = (frame) => fake.onmessage?.({ data: JSON.stringify(frame) } as MessageEvent);
  stop = applyEvents(socket, db);
  return async () => {
    stop();
    socket.disconnect();
    // Pending syncs are shared by all tests of this file.
    respondDelta(json(200, []));
    await sync(db).catch(() => undefined);
    vi.restoreAllMocks();
  };
});

const newMessage = (seq: number, change: object = {}) => ({
  type: 'new_message',
  recipientId: ME,
  ...message(seq),
  ...change,
});
const otherConversation = { conversationId: OTHER_CONVERSATION, senderId: OTHER_PEER };
const contents = async () => (await db.messages.toArray()).map(({ content }) => content).sort();

describe('while one conversation waits for missing messages', () => {
  beforeEach(() => receive(newMessage(9)));

  it('stores the messages of other conversations', async () => {
    receive(newMessage(2, { ...otherConversation, clientId: 'other', content: 'not delayed' }));
    await vi.waitFor(async () => expect(await contents()).toEqual(['not delayed']));
  });

  it('stores a match and applies receipts of other conversations', async () => {
    receive({ type: 'match', matchId: 'm-3', conversationId: 'c-3', user: summary().user, likeType: 'like' });
    receive({
      type: 'message_read',
      conversationId: OTHER_CONVERSATION,
      readBy: OTHER_PEER,
      seq: 1,
      readAt: '',
    });
    await vi.waitFor(async () => {
      expect(await db.matches.get('m-3')).toBeDefined();
      expect((await db.conversations.get(OTHER_CONVERSATION))?.peerReadSeq).toBe(1);
    });
  });

  it('applies the events of that conversation in their order', async () => {
    receive({ type: 'message_changed', message: message(9, { content: 'changed', rev: 1 }) });
    const page = [2, 3, 4, 5, 6, 7, 8, 9].map((seq) => message(seq));
    respondDelta(json(200, page));
    await vi.waitFor(async () => expect((await contents()).at(-1)).toBe('message 8'));
    await vi.waitFor(async () => expect(await contents()).toContain('changed'));
  });

  it('removes the member who ended the match at once, and again after a late response has stored messages', async () => {
    receive({ type: 'unmatched', matchId: 'match-1', conversationId: CONVERSATION, userId: PEER });
    await vi.waitFor(async () => expect(await db.conversations.get(CONVERSATION)).toBeUndefined());
    respondDelta(json(200, [message(2), message(3)]));
    receive({ type: 'match', matchId: 'm-9', conversationId: CONVERSATION, user: summary().user });
    // The match follows in the same lane, so the late response has been removed when it is stored.
    await vi.waitFor(async () => expect(await db.matches.get('m-9')).toBeDefined());
    expect(await contents()).toEqual([]);
    expect(await db.threads.get(CONVERSATION)).toBeUndefined();
  });
});

describe('a change that arrives before its message', () => {
  it('is stored as the message, and the later new_message event does not overwrite it', async () => {
    receive({ type: 'message_changed', message: message(2, { content: '', rev: 1 }) });
    receive(newMessage(2));
    receive({ type: 'message_changed', message: message(3, { flag: 'spam' }) });
    receive(newMessage(3));
    receive(newMessage(4));
    await vi.waitFor(async () => expect(await contents()).toContain('message 4'));
    const rows = await db.messages.orderBy('[conversationId+order]').toArray();
    expect(rows.map(({ content, flag }) => [content, flag])).toEqual([
      ['', null],
      ['message 3', 'spam'],
      ['message 4', null],
    ]);
  });

  it('fetches the messages in between', async () => {
    receive({ type: 'message_changed', message: message(3, { content: '', rev: 1 }) });
    respondDelta(json(200, [message(2), message(3, { content: '', rev: 1 })]));
    await vi.waitFor(async () => expect(await contents()).toEqual(['', 'message 2']));
    expect(await db.threads.get(CONVERSATION)).toMatchObject({ lastSeq: 3 });
  });
});

it('stores the time of each spark in its conversation, and ignores kinds of a newer server', async () => {
  const at = '2026-11-20T10:05:00.000Z';
  const spark = { type: 'spark', conversationId: CONVERSATION, userId: PEER, at };
  receive({ ...spark, spark: 'haiku' });
  receive({ ...spark, spark: 'message_spark' });
  receive({ ...spark, spark: 'voice_connection', conversationId: OTHER_CONVERSATION });
  await vi.waitFor(async () =>
    expect(await db.conversations.bulkGet([CONVERSATION, OTHER_CONVERSATION])).toMatchObject([
      { messageSparkAt: at, voiceConnectionAt: null },
      { messageSparkAt: null, voiceConnectionAt: at },
    ]),
  );
});

describe('an event of a conversation that a running sync is about to store', () => {
  const delta = (cursor: string, change: Partial<ConversationSummary>) =>
    json(200, { conversations: [summary({ lastSeq: 1, ...change })], removed: [], cursor, hasMore: false });

  /** Receives the frame while a sync waits for a response from before it; the next response contains its change. */
  async function receiveDuringSync(frame: object, change: Partial<ConversationSummary>): Promise<void> {
    let respond: (response: Response) => void = () => undefined;
    const earlier = new Promise<Response>((resolve) => {
      respond = resolve;
    });
    syncResponses = [earlier, delta('later', change)];
    receive({ type: 'sync' });
    await vi.waitFor(() => expect(syncResponses).toHaveLength(1));
    receive({ conversationId: CONVERSATION, ...frame });
    // A receipt of another conversation is received after the frame and does not wait for the sync.
    const known = { conversationId: OTHER_CONVERSATION, readBy: OTHER_PEER, seq: 1, readAt: '' };
    receive({ type: 'message_read', ...known });
    await vi.waitFor(async () =>
      expect((await db.conversations.get(OTHER_CONVERSATION))?.peerReadSeq).toBe(1),
    );
    respond(delta('earlier', {}));
    await vi.waitFor(async () => expect((await db.meta.get('syncCursor'))?.value).toBe('later'));
    await vi.waitFor(async () => expect(await db.conversations.get(CONVERSATION)).toMatchObject(change));
  }

  describe.each([
    ['new to the device', () => db.conversations.delete(CONVERSATION)],
    ['stale', () => db.conversations.update(CONVERSATION, { stale: true })],
  ])('and that is %s', (_, prepare) => {
    beforeEach(async () => void (await prepare()));

    it('is not lost if it is a spark', async () => {
      const at = '2026-11-20T10:05:00.000Z';
      await receiveDuringSync(
        { type: 'spark', spark: 'message_spark', userId: PEER, at },
        { messageSparkAt: at },
      );
    });

    it('is not lost if it is a receipt', async () => {
      await receiveDuringSync({ type: 'message_read', readBy: PEER, seq: 1, readAt: '' }, { peerReadSeq: 1 });
    });
  });
});

it('repeats a failed sync until one succeeds', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  syncResponses = [
    json(503, {}),
    json(200, { conversations: [], removed: [], cursor: 'later', hasMore: false }),
  ];
  receive({ type: 'sync' });
  await vi.waitFor(async () => expect((await db.meta.get('syncCursor'))?.value).toBe('later'));
});

it('stores a match with the time of the server, not of the device', async () => {
  const match = (id: string, matchedAt: string) => ({
    type: 'match',
    matchId: id,
    conversationId: OTHER_CONVERSATION,
    matchedAt,
    user: summary().user,
    likeType: 'like',
  });
  receive(match('match-later', '2026-11-20T10:00:01.000Z'));
  receive(match('match-first', '2026-11-20T10:00:00.000Z'));
  await vi.waitFor(async () =>
    expect((await db.matches.orderBy('matchedAt').toArray()).map(({ id }) => id)).toEqual([
      'match-first',
      'match-later',
    ]),
  );
});

describe('frames of a newer server', () => {
  it('stores a message of an unknown type with the fields this build needs', async () => {
    const { attachments: _, senderReaction: _reaction, ...bare } = message(2, { content: '' });
    receive({ type: 'new_message', recipientId: ME, ...bare, ...otherConversation, messageType: 'poll' });
    await vi.waitFor(async () =>
      expect(await db.messages.toArray()).toMatchObject([
        { messageType: 'poll', attachments: [], senderReaction: null },
      ]),
    );
  });

  it('continues after frames that cannot be parsed or applied', async () => {
    const unreadable = ['', 'null', '42', '[]', '{}', 'no json', '{"type":"from_the_future","x":{}}'];
    for (const data of [...unreadable, new Blob([new Uint8Array([1, 2, 3])])])
      expect(() => fake.onmessage?.({ data } as MessageEvent)).not.toThrow();
    receive({ type: 'new_message' });
    receive({ type: 'user_typing', userId: 7 });
    receive({ type: 'message_changed' });
    receive({ type: 'new_message', conversationId: OTHER_CONVERSATION, seq: 'later' });
    receive({ type: 'poll_closed', pollId: 'p' });
    receive(newMessage(2, { ...otherConversation, content: 'still here' }));
    await vi.waitFor(async () => expect(await contents()).toEqual(['still here']));
    expect(await db.messages.filter(({ order }) => typeof order !== 'number').count()).toBe(0);
  });
});
