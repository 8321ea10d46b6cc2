import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { enqueue } from '@/offline/outbox/outbox.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { MERGE_TABLES, mergePage } from '@/offline/store/merge.ts';
import type { ConversationRow } from '@/offline/store/rows.ts';
import { CONVERSATION, freshDb, ME, message, PEER, summary } from '@/offline/testkit.ts';
import { listConversations, openingsOf } from './conversations.ts';
import { mergeHits, searchDevice, snippet } from './search.ts';
import { sparksOf } from './useSparks.ts';

let db: HeartwardDb;
beforeEach(async () => {
  db = await freshDb();
});

const row = (id: string, sortAt: string, change: Partial<ConversationRow> = {}): ConversationRow => ({
  ...summary({ id }),
  userId: PEER,
  sortAt,
  ...change,
});
const lastMessageOf = (content: string, sentAt: string) => ({ ...message(1), content, sentAt }) as never;

describe('the list', () => {
  it('puts the pinned ones on top, then the newest', () => {
    const rows = [
      row('old', '2026-11-01T00:00:00.000Z'),
      row('new', '2026-11-20T00:00:00.000Z'),
      row('pinned', '2026-10-01T00:00:00.000Z', { pinnedAt: '2026-11-02T00:00:00.000Z' }),
    ];
    expect(listConversations(rows, [], [], ME).map(({ id }) => id)).toEqual(['pinned', 'new', 'old']);
  });

  it("puts those that wait for the member's answer before the others", async () => {
    const lastMessageFrom = (senderId: string, sentAt: string) =>
      ({ ...message(1), senderId, content: 'x', sentAt }) as never;
    const rows = [
      row('mine', '2026-11-20T00:00:00.000Z', {
        lastMessage: lastMessageFrom(ME, '2026-11-20T00:00:00.000Z'),
      }),
      row('theirs', '2026-11-15T00:00:00.000Z', {
        lastMessage: lastMessageFrom(PEER, '2026-11-15T00:00:00.000Z'),
      }),
      row(CONVERSATION, '2026-11-19T00:00:00.000Z', {
        lastMessage: lastMessageFrom(PEER, '2026-11-19T00:00:00.000Z'),
      }),
      row('request', '2026-11-21T00:00:00.000Z', {
        lastMessage: lastMessageFrom(PEER, '2026-11-21T00:00:00.000Z'),
        request: 'received',
      }),
    ];
    const now = Date.UTC(2026, 10, 21);
    const list = async () =>
      listConversations(rows, await db.outbox.toArray(), [], ME, now).map(({ id, isYourTurn }) => [
        id,
        isYourTurn,
      ]);
    expect(await list()).toEqual([
      [CONVERSATION, true],
      ['theirs', true],
      ['request', false],
      ['mine', false],
    ]);
    await enqueue(db, {
      kind: 'message',
      conversationId: CONVERSATION,
      recipientId: PEER,
      content: 'an answer',
    });
    expect(
      (await list()).filter(([, isYourTurn]) => isYourTurn),
      'not while an answer waits',
    ).toEqual([['theirs', true]]);
  });

  it("shows the comment of a new match's like, until there is a message", () => {
    const now = Date.UTC(2026, 10, 21);
    const matchedAt = '2026-11-20T00:00:00.000Z';
    const like = { likeType: 'like', comment: 'What a view!', photoUrl: null, prompt: null, answer: null };
    const matches = [
      { id: 'm', conversationId: 'a', matchedAt, theirLike: like },
      { id: 'n', matchedAt },
    ];
    const list = (change: Partial<ConversationRow> = {}) =>
      listConversations([row('a', matchedAt, change)], [], [], ME, now, openingsOf(matches as never))[0];
    expect(list()).toMatchObject({ preview: { text: 'What a view!', mine: false }, isYourTurn: true });
    expect(
      list({ lastMessage: { ...message(1), senderId: ME, content: 'Thanks', sentAt: matchedAt } as never }),
    ).toMatchObject({ preview: { text: 'Thanks', mine: true }, isYourTurn: false });
  });

  it('ends a turn after a week, and when the member says that it needs no answer', () => {
    const now = Date.UTC(2026, 10, 21);
    const isTurn = (sentAt: string, change: Partial<ConversationRow> = {}) =>
      listConversations(
        [row('a', sentAt, { lastSeq: 4, lastMessage: lastMessageOf('x', sentAt), ...change })],
        [],
        [],
        ME,
        now,
      )[0]?.isYourTurn;
    expect(isTurn('2026-11-14T00:00:01.000Z')).toBe(true);
    expect(isTurn('2026-11-14T00:00:00.000Z')).toBe(false);
    expect(isTurn('2026-11-20T00:00:00.000Z', { turnEndedSeq: 3 })).toBe(true);
    expect(isTurn('2026-11-20T00:00:00.000Z', { turnEndedSeq: 4 })).toBe(false);
  });

  it('archives a conversation until a newer message, and a muted one until the member takes it out', async () => {
    const isArchived = async (change: Partial<ConversationRow>) =>
      listConversations(
        [row(CONVERSATION, '', { lastSeq: 4, ...change })],
        await db.outbox.toArray(),
        [],
        ME,
      )[0]?.archived;
    const mutedUntil = '9999-12-31T00:00:00Z';
    expect(await isArchived({})).toBe(false);
    expect(await isArchived({ archivedSeq: 4 })).toBe(true);
    expect(await isArchived({ archivedSeq: 3 })).toBe(false);
    expect(await isArchived({ archivedSeq: 3, mutedUntil })).toBe(true);
    await enqueue(db, {
      kind: 'message',
      conversationId: CONVERSATION,
      recipientId: PEER,
      content: 'an answer',
    });
    expect(await isArchived({ archivedSeq: 4 }), 'while an answer waits').toBe(false);
    expect(await isArchived({ archivedSeq: 4, mutedUntil })).toBe(true);
  });

  it('marks a conversation as muted until its time', () => {
    const now = Date.UTC(2026, 10, 21);
    const isMutedFor = (mutedUntil: string | null) =>
      listConversations([row('a', '', { mutedUntil })], [], [], ME, now)[0]?.muted;
    expect(
      [null, '2026-11-20T00:00:00Z', '2026-11-22T00:00:00Z', '9999-12-31T00:00:00Z'].map(isMutedFor),
    ).toEqual([false, false, true, true]);
  });

  it('previews a draft first, then a waiting message, then the newest', async () => {
    const conversationRow = row(CONVERSATION, '2026-11-01T00:00:00.000Z', {
      lastMessage: lastMessageOf('old', '2026-11-01T00:00:00.000Z'),
    });
    expect(listConversations([conversationRow], [], [], ME)[0]?.preview).toMatchObject({
      kind: 'sent',
      text: 'old',
      mine: false,
    });
    await enqueue(db, { kind: 'message', conversationId: CONVERSATION, recipientId: PEER, content: 'waits' });
    const outbox = await db.outbox.toArray();
    expect(listConversations([conversationRow], outbox, [], ME)[0]?.preview).toMatchObject({
      kind: 'waiting',
      text: 'waits',
    });
    const draft = { conversationId: CONVERSATION, content: 'begun', updatedAt: Date.now() };
    expect(listConversations([conversationRow], outbox, [draft], ME)[0]?.preview).toMatchObject({
      kind: 'draft',
      text: 'begun',
    });
    const blank = { ...draft, content: ' ', replyTo: 3 };
    expect(listConversations([conversationRow], [], [blank], ME)[0]?.preview?.kind).toBe('sent');
  });
});

it('previews the newest message rather than an older rejected one', async () => {
  await enqueue(db, {
    kind: 'message',
    conversationId: CONVERSATION,
    recipientId: PEER,
    content: 'rejected',
  });
  const outbox = (await db.outbox.toArray()).map((sent) => ({ ...sent, state: 'failed' as const }));
  const [before, after] = ['2000-01-01T00:00:00.000Z', '2100-01-01T00:00:00.000Z'].map((at) =>
    row(CONVERSATION, at, { lastMessage: lastMessageOf('the newest', at) }),
  ) as [ConversationRow, ConversationRow];
  expect(listConversations([after], outbox, [], ME)[0]?.preview?.text).toBe('the newest');
  expect(listConversations([before], outbox, [], ME)[0]?.preview).toMatchObject({
    kind: 'rejected',
    text: 'rejected',
  });
});

describe('the search', () => {
  const storeMessages = async () => {
    await db.conversations.put(row(CONVERSATION, ''));
    const page = [
      message(1, { content: 'The Garden' }),
      message(2, { content: 'nothing' }),
      message(3, { content: 'a garden again', senderId: ME }),
      message(4, { content: '', deletedAt: '2026-11-20T12:00:00.000Z' }),
    ];
    await db.transact(MERGE_TABLES, (tx) => mergePage(tx, ME, page));
  };

  it('finds stored messages in any case, newest first', async () => {
    await storeMessages();
    const hits = await searchDevice(db, 'gArden');
    expect(hits.map(({ seq, mine }) => [seq, mine])).toEqual([
      [3, true],
      [1, false],
    ]);
    await db.conversations.update(CONVERSATION, { request: 'received' });
    expect(await searchDevice(db, 'garden')).toEqual([]);
  });

  it('matches letters with several spellings at the right position', async () => {
    await storeMessages();
    const page = [message(5, { content: 'die große Straße, ΟΔΟΣΗΜΑΝΣΗ' })];
    await db.transact(MERGE_TABLES, (tx) => mergePage(tx, ME, page));
    for (const text of ['STRASSE', 'straße', 'ΟΔΟΣ', 'οδος'])
      expect((await searchDevice(db, text)).length, text).toBe(1);
    expect(snippet('die große Straße, dort', 'STRASSE')).toEqual(['die große ', 'Straße', ', dort']);
  });

  it("merges the server's hits without duplicates", async () => {
    await storeMessages();
    const local = await searchDevice(db, 'garden');
    const older = { ...local[0], seq: 9, sentAt: '2020-01-01T00:00:00.000Z' } as (typeof local)[number];
    expect(mergeHits(local, [...local, older]).map(({ seq }) => seq)).toEqual([3, 1, 9]);
  });

  it('shows the text around a hit', () => {
    const [before, hit, after] = snippet(`${'long words before it '.repeat(9)}the Garden gate`, 'garden');
    expect([before.startsWith('…'), hit, after]).toEqual([true, 'Garden', ' gate']);
    expect(before.length).toBeLessThan(40);
    const [, , rest] = snippet(`Garden ${'and words after it '.repeat(9)}`, 'garden');
    expect([rest.endsWith('…'), rest.length < 100]).toEqual([true, true]);
    expect(snippet('Garden', 'garden')).toEqual(['', 'Garden', '']);
  });
});

it('reports a spark for a day', () => {
  const now = Date.parse('2026-11-21T12:00:00.000Z');
  const sparksAt = (messageSparkAt: string) =>
    sparksOf(row('a', '', { messageSparkAt }), now).map(({ spark }) => spark);
  expect(sparksAt('2026-11-20T12:30:00.000Z')).toEqual(['message_spark']);
  expect(sparksAt('2026-11-20T11:30:00.000Z')).toEqual([]);
});
