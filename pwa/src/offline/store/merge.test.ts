import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { drain } from '../outbox/drain.ts';
import { enqueue } from '../outbox/outbox.ts';
import {
  CONVERSATION,
  drainEnv,
  FakeServer,
  fakeCaches,
  freshDb,
  ME,
  message,
  PEER,
  summary,
} from '../testkit.ts';
import type { HeartwardDb } from './db.ts';
import { putFile } from './fileRows.ts';
import {
  MERGE_TABLES,
  mergeChange,
  mergeChanges,
  mergeMessage,
  mergePage,
  mergeReceipt,
  mergeSummary,
} from './merge.ts';

let db: HeartwardDb;
beforeEach(async () => {
  db = await freshDb();
});

const merge = (...args: Parameters<typeof message>) =>
  db.transact(MERGE_TABLES, (tx) => mergeMessage(tx, ME, message(...args)));
const seqs = async () =>
  (await db.messages.orderBy('[conversationId+order]').toArray()).map((row) => row.seq);
const row = () => db.conversations.get(CONVERSATION);

describe('messages', () => {
  it('appends in order and applies each once', async () => {
    for (const seq of [1, 2, 2, 1, 3]) expect(await merge(seq)).toBe('stored');
    expect(await seqs()).toEqual([1, 2, 3]);
    expect(await db.threads.get(CONVERSATION)).toMatchObject({ firstSeq: 1, lastSeq: 3 });
  });

  it('does not append past a gap', async () => {
    await merge(1);
    expect(await merge(3)).toBe('gap');
    expect(await seqs()).toEqual([1]);
  });

  it('starts a new thread with its first message only', async () => {
    expect(await merge(7)).toBe('gap');
    expect(await db.messages.count()).toBe(0);
  });

  it('extends the stored range by an older page', async () => {
    await db.transact(MERGE_TABLES, (tx) => mergePage(tx, ME, [message(5), message(6)]));
    await db.transact(MERGE_TABLES, (tx) => mergePage(tx, ME, [message(4), message(3)]));
    expect(await seqs()).toEqual([3, 4, 5, 6]);
    expect(await db.threads.get(CONVERSATION)).toMatchObject({ firstSeq: 3, lastSeq: 6 });
  });

  it('stores a message of the other member with the same client id separately', async () => {
    await merge(1, { senderId: ME, clientId: 'same', content: 'mine' });
    await merge(2, { senderId: PEER, clientId: 'same', content: 'theirs' });
    expect((await db.messages.toArray()).map(({ content }) => content).sort()).toEqual(['mine', 'theirs']);
  });

  it.each(['event first', 'response first'])(
    'merges the live event and the response into one message: %s',
    async (order) => {
      const server = new FakeServer();
      await enqueue(db, { kind: 'message', conversationId: CONVERSATION, recipientId: PEER, content: 'hi' });
      const receiveEvent = () =>
        db.transact(MERGE_TABLES, (tx) => mergeMessage(tx, ME, server.stored[0] ?? message(99)));
      if (order === 'event first') {
        server.intercept = async ({ body }) => {
          server.accept(body);
          await receiveEvent();
          return undefined;
        };
      }
      await drain(drainEnv(db, server).env, true);
      await receiveEvent();
      expect(await db.messages.toArray()).toMatchObject([{ content: 'hi', seq: 1, state: 'stored' }]);
      expect(await db.outbox.count()).toBe(0);
    },
  );
});

describe('conversations', () => {
  it('counts a new message once, and not the member’s own', async () => {
    await db.transact(['conversations'], (tx) => mergeSummary(tx, summary()));
    await merge(1);
    await merge(1);
    await merge(2, { senderId: ME });
    expect(await row()).toMatchObject({ unreadCount: 1, lastSeq: 2, lastMessage: { seq: 2 } });
  });

  it('is not changed by an older response', async () => {
    await db.transact(['conversations'], (tx) =>
      mergeSummary(tx, summary({ lastSeq: 4, readSeq: 4, peerReadSeq: 3 })),
    );
    await db.transact(['conversations'], (tx) =>
      mergeSummary(tx, summary({ lastSeq: 4, readSeq: 1, unreadCount: 3 })),
    );
    expect(await row()).toMatchObject({ readSeq: 4, unreadCount: 0, peerReadSeq: 3 });
  });

  it('shows pictures from the choice on this device on, also after an older response', async () => {
    await db.transact(['conversations'], (tx) => mergeSummary(tx, summary()));
    await db.conversations.update(CONVERSATION, { picturesShown: true });
    await db.transact(['conversations'], (tx) => mergeSummary(tx, summary()));
    expect(await row()).toMatchObject({ picturesShown: true });
  });

  it('does not lose a spark to a summary that was requested before it', async () => {
    await db.transact(['conversations'], (tx) => mergeSummary(tx, summary()));
    const sparks = {
      messageSparkAt: '2026-01-01T10:00:00.000Z',
      voiceConnectionAt: '2026-01-01T10:01:00.000Z',
    };
    await db.conversations.update(summary().id, sparks);
    await db.transact(['conversations'], (tx) => mergeSummary(tx, summary()));
    expect(await db.conversations.get(summary().id)).toMatchObject(sparks);
  });

  it('shows pictures after the choice on another device', async () => {
    await db.transact(['conversations'], (tx) => mergeSummary(tx, summary()));
    await db.transact(['conversations'], (tx) => mergeSummary(tx, summary({ picturesShown: true })));
    expect(await row()).toMatchObject({ picturesShown: true });
  });

  it('raises the peer’s receipts, and read implies delivered', async () => {
    await db.transact(['conversations'], (tx) => mergeSummary(tx, summary({ lastSeq: 9 })));
    const apply = (event: { deliveredSeq?: number; readSeq?: number }, by = PEER) =>
      db.transact(['conversations'], (tx) =>
        mergeReceipt(tx, ME, { conversationId: CONVERSATION, by, ...event }),
      );
    await apply({ readSeq: 5 });
    await apply({ readSeq: 2 });
    expect(await row()).toMatchObject({ peerReadSeq: 5, peerDeliveredSeq: 5 });
    await apply({ readSeq: 9 }, ME);
    expect(await row()).toMatchObject({ readSeq: 9, peerReadSeq: 5, unreadCount: 0 });
  });
});

describe('the other member’s read receipt', () => {
  it('disappears when the server no longer sends it, and returns when the server sends it again', async () => {
    const mergePeerRead = async (peerReadSeq: number | null) => {
      await db.transact(['conversations'], (tx) => mergeSummary(tx, summary({ lastSeq: 9, peerReadSeq })));
      return (await row())?.peerReadSeq;
    };
    expect(await mergePeerRead(5)).toBe(5);
    expect(await mergePeerRead(0), 'a late response').toBe(5);
    expect(await mergePeerRead(null)).toBeNull();
    expect(await mergePeerRead(7)).toBe(7);
  });
});

describe('an answer', () => {
  it.each([
    ['is a delivery if presence is hidden', null, 2],
    ['is no delivery otherwise', '2026-11-20T12:00:00.000Z', 0],
  ])('%s', async (_, lastSeenAt, delivered) => {
    await db.transact(['conversations'], (tx) =>
      mergeSummary(tx, summary({ lastSeenAt, lastSeq: 0, peerDeliveredSeq: 0, peerReadSeq: null })),
    );
    await merge(1, { senderId: ME });
    await merge(2, { senderId: PEER });
    expect((await row())?.peerDeliveredSeq).toBe(delivered);
  });
});

describe('changes of messages', () => {
  const change = (...args: Parameters<typeof message>) =>
    db.transact(MERGE_TABLES, (tx) => mergeChange(tx, ME, message(...args)));
  const storedRev = async () => (await db.threads.get(CONVERSATION))?.rev;
  const content = async (seq: number) => (await db.messages.get([PEER, `client-${seq}`]))?.content;
  const deletion = { content: '', deletedAt: '2026-11-20T12:30:00.000Z' };

  it('are stored in order, and a missing one is a gap', async () => {
    for (const seq of [1, 2, 3]) await merge(seq);
    expect(await change(1, { rev: 1, receiverReaction: '❤️' })).toBe('stored');
    expect(await storedRev()).toBe(1);
    expect(await change(3, { rev: 3, ...deletion })).toBe('gap');
    expect(await storedRev(), 'the second is missing').toBe(1);
    expect(await content(3), 'the third is shown').toBe('');
    expect(await change(2, { rev: 2, ...deletion })).toBe('stored');
    expect(await storedRev()).toBe(2);
  });

  it('never restores an older state when events arrive late', async () => {
    await merge(1);
    await change(1, { rev: 2, ...deletion });
    await change(1, { rev: 1, receiverReaction: '👍' });
    await merge(1);
    expect(await db.messages.get([PEER, 'client-1'])).toMatchObject({
      rev: 2,
      receiverReaction: null,
      ...deletion,
    });
  });

  it('removes the files of a deleted message from the device', async () => {
    const attachment = {
      id: 'picture',
      kind: 'image' as const,
      url: '/files/picture/full.webp',
      thumbUrl: '/files/picture/thumb.webp',
      posterUrl: null,
      mimeType: 'image/webp',
      placeholder: '',
      bytes: 5,
      width: 1,
      height: 1,
      durationMs: null,
      waveform: [],
    };
    const thumbs = { '/files/picture/thumb.webp': 'taken back', '/files/other/thumb.webp': 'kept' };
    vi.stubGlobal('caches', fakeCaches({ [`hw-files-${ME}-thumb.webp`]: thumbs }));
    const blob = new Blob(['bytes']);
    for (const id of ['picture', 'other']) {
      await putFile(db, {
        id,
        conversationId: CONVERSATION,
        keep: 'heard',
        blob,
        poster: null,
        bytes: 5,
      });
    }
    await merge(1, { attachments: [attachment] });
    await change(1, { rev: 1, ...deletion });
    expect(await db.files.toCollection().primaryKeys()).toEqual(['other']);
    expect(await db.blobs.toCollection().primaryKeys()).toEqual(['other']);
    await vi.waitFor(async () => expect(await caches.match('/files/picture/thumb.webp')).toBeUndefined());
    expect(await caches.match('/files/other/thumb.webp')).toBeDefined();
  });

  it('marks a deleted newest message in the list', async () => {
    await db.transact(['conversations'], (tx) => mergeSummary(tx, summary()));
    await merge(1);
    await change(1, { rev: 1, ...deletion });
    expect((await row())?.lastMessage).toMatchObject({ content: '', deleted: true });
  });

  it('stores the rev of a change of a message that is not on the device', async () => {
    await db.transact(MERGE_TABLES, (tx) => mergePage(tx, ME, [message(9)], 4));
    expect(await change(2, { rev: 5, ...deletion })).toBe('stored');
    expect([await storedRev(), await db.messages.count()]).toEqual([5, 1]);
  });

  it('stores a deletion that arrives before its message, and keeps it when the message arrives', async () => {
    expect(await change(1, { rev: 1, ...deletion }), 'the first of a conversation').toBe('stored');
    expect([await content(1), await storedRev()]).toEqual(['', 1]);
    expect(await change(2, { rev: 2, ...deletion })).toBe('stored');
    await merge(1);
    await merge(2);
    expect([await content(1), await content(2), await storedRev()]).toEqual(['', '', 2]);
  });

  it('returns a gap and stores no rev when messages before the changed one are missing', async () => {
    await merge(1);
    expect(await change(3, { rev: 1, ...deletion })).toBe('gap');
    expect([await storedRev(), await db.messages.count()]).toEqual([0, 1]);
    const page = [message(3, { rev: 1, ...deletion })];
    expect(await db.transact(MERGE_TABLES, (tx) => mergeChanges(tx, ME, CONVERSATION, page))).toBe('gap');
  });

  it('stores a change of the flag, which has no rev of its own, and nothing else of the event', async () => {
    await merge(1, { flag: null });
    await change(1, { rev: 1, receiverReaction: '👍' });
    expect(await change(1, { rev: 1, flag: 'spam' })).toBe('stored');
    const stored = () => db.messages.get([PEER, 'client-1']);
    expect(await stored()).toMatchObject({ flag: 'spam', receiverReaction: '👍', rev: 1 });
    await change(1, { rev: 0, flag: null });
    expect(await stored(), 'an older event').toMatchObject({ flag: 'spam' });
    await change(1, { rev: 1, flag: null });
    expect(await stored()).toMatchObject({ flag: null, receiverReaction: '👍', rev: 1 });
    expect(await storedRev()).toBe(1);
  });

  it('accepts a page with missing revs, because a message that changed twice is in it once', async () => {
    for (const seq of [1, 2]) await merge(seq);
    const page = [message(2, { rev: 4, ...deletion }), message(1, { rev: 7, receiverReaction: '😂' })];
    await db.transact(MERGE_TABLES, (tx) => mergeChanges(tx, ME, CONVERSATION, page));
    expect([await storedRev(), await content(2)]).toEqual([7, '']);
  });
});
