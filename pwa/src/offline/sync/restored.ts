/**
 * A thread from before the server's data was put back in time: what the server lost leaves this device too. The
 * member's own words among it are offered to be sent again, and nothing of them is shown as delivered.
 */
import type { Message } from '../../api/types.ts';
import { outboxTables } from '../outbox/outbox.ts';
import type { HeartwardDb } from '../store/db.ts';
import { MERGE_TABLES, mergePage } from '../store/merge.ts';
import { storedMessages, withQuotaRetry } from '../store/quota.ts';
import {
  type LocalAttachment,
  MESSAGE_DEFAULTS,
  type MessageRow,
  type ThreadRow,
  WAITING_ORDER,
} from '../store/rows.ts';
import { fetchMessages } from './fetchMessages.ts';

const LOST = 'We had to restore our data and lost this message.';

/** Replaces what is stored of a stale thread by the server's newest page; `rev` as for mergePage. */
export async function replaceThread(db: HeartwardDb, thread: ThreadRow, rev: number): Promise<void> {
  const { conversationId } = thread;
  const stored = await storedMessages(db, conversationId).toArray();
  const newest = await fetchMessages(conversationId, {});
  const { agreed, known } = await compare(thread, stored, newest);
  const lost = stored.filter(
    ({ senderId, seq, clientId }) => senderId === db.memberId && (seq ?? 0) > agreed && !known.has(clientId),
  );
  await withQuotaRetry(db, () =>
    db.transaction('rw', [...outboxTables(db), db.conversations, db.threads], async () => {
      await db.messages.bulkDelete(stored.map(({ senderId, clientId }) => [senderId, clientId]));
      await db.threads.delete(conversationId);
      await dropReferences(db, conversationId, agreed);
      const recipientId = (await db.conversations.get(conversationId))?.userId;
      if (recipientId) for (const row of lost) await offerAgain(db, row, recipientId);
      await db.transact(MERGE_TABLES, (tx) => mergePage(tx, db.memberId, newest, rev));
    }),
  );
}

/** Up to which number device and server hold the same messages, and the client ids of all that come after. */
async function compare(thread: ThreadRow, stored: MessageRow[], newest: Message[]) {
  const idAt = new Map(stored.map(({ seq, id }) => [seq, id]));
  const known = new Set<string>();
  for (let page = newest; ; ) {
    for (const { clientId } of page) known.add(clientId);
    const same = page.findLast(({ seq, id }) => idAt.get(seq) === id);
    const [oldest] = page;
    if (same || !oldest || oldest.seq <= thread.firstSeq) return { agreed: same?.seq ?? 0, known };
    page = await fetchMessages(thread.conversationId, { before: oldest.seq });
  }
}

/** What waits to be sent and names a message by a number that means another one now. */
async function dropReferences(db: HeartwardDb, conversationId: string, agreed: number): Promise<void> {
  const waiting = await db.outbox.filter((row) => row.conversationId === conversationId).toArray();
  for (const { clientId, userId, body } of waiting) {
    if ((body.kind === 'reaction' || body.kind === 'delete') && body.seq > agreed)
      await db.outbox.delete(clientId);
    if (body.kind !== 'message' || (body.replyTo ?? 0) <= agreed) continue;
    const { replyTo: _, ...rest } = body;
    await db.outbox.update(clientId, { body: rest });
    await db.messages.update([userId, clientId], { replyTo: null });
  }
}

/** Turns a lost message into one that was refused: the member sends it again or discards it. */
async function offerAgain(db: HeartwardDb, row: MessageRow, recipientId: string): Promise<void> {
  const { senderId: userId, clientId, conversationId, content, messageType } = row;
  const attachments = row.attachments.map(({ url: _, thumbUrl: __, posterUrl: ___, id, ...file }) => ({
    ...file,
    localId: id,
  })) as LocalAttachment[];
  const files = await db.blobs.bulkGet(attachments.map(({ localId }) => localId));
  // Without its files there is nothing to send, and the server itself writes of dates.
  if (row.deletedAt || messageType === 'date' || files.includes(undefined)) return;
  for (const { localId } of attachments) await db.blobs.update(localId, { keep: 'unsent' });
  const localSeq = ((await db.outbox.orderBy('localSeq').last())?.localSeq ?? 0) + 1;
  const body = { kind: 'message' as const, recipientId, content, messageType };
  await db.outbox.put({
    clientId,
    userId,
    conversationId,
    localSeq,
    kind: 'message',
    body: attachments.length > 0 ? { ...body, attachments } : body,
    state: 'failed',
    attempts: 0,
    nextAt: 0,
    retryAfterLocked: false,
    createdAt: Date.parse(row.sentAt),
    revision: 0,
    reason: LOST,
  });
  await db.messages.put({
    ...row,
    ...MESSAGE_DEFAULTS,
    attachments: row.attachments.map((file) => ({ ...file, url: '', thumbUrl: null, posterUrl: null })),
    id: null,
    seq: null,
    order: WAITING_ORDER + localSeq,
    readAt: null,
    state: 'failed',
    reason: LOST,
  });
}
