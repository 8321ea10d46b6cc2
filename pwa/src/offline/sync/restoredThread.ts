/**
 * Replaces a thread after the server's database was restored from a backup. Messages that the server has lost are
 * deleted on this device. The member's own lost messages become rejected ones, which the member can send again.
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

/** Replaces the stored messages of a stale thread by the server's newest page; `rev` is that of mergePage. */
export async function replaceThread(db: HeartwardDb, thread: ThreadRow, rev: number): Promise<void> {
  const { conversationId } = thread;
  const stored = await storedMessages(db, conversationId).toArray();
  const newest = await fetchMessages(conversationId, {});
  const { lastCommon, serverIds } = await compare(thread, stored, newest);
  const lost = stored.filter(
    ({ senderId, seq, clientId }) =>
      senderId === db.memberId && (seq ?? 0) > lastCommon && !serverIds.has(clientId),
  );
  await withQuotaRetry(db, () =>
    db.transaction('rw', [...outboxTables(db), db.conversations, db.threads], async () => {
      await db.messages.bulkDelete(stored.map(({ senderId, clientId }) => [senderId, clientId]));
      await db.threads.delete(conversationId);
      await dropReferences(db, conversationId, lastCommon);
      const recipientId = (await db.conversations.get(conversationId))?.userId;
      if (recipientId) for (const row of lost) await convertToRejected(db, row, recipientId);
      await db.transact(MERGE_TABLES, (tx) => mergePage(tx, db.memberId, newest, rev));
    }),
  );
}

/**
 * Returns the seq up to which device and server have the same messages, and the client ids of the server's later ones.
 */
async function compare(thread: ThreadRow, stored: MessageRow[], newest: Message[]) {
  const idAt = new Map(stored.map(({ seq, id }) => [seq, id]));
  const serverIds = new Set<string>();
  for (let page = newest; ; ) {
    for (const { clientId } of page) serverIds.add(clientId);
    const same = page.findLast(({ seq, id }) => idAt.get(seq) === id);
    const [oldest] = page;
    if (same || !oldest || oldest.seq <= thread.firstSeq) return { lastCommon: same?.seq ?? 0, serverIds };
    page = await fetchMessages(thread.conversationId, { before: oldest.seq });
  }
}

/** Removes references to lost messages from the outbox, because the server gives their seq to other messages. */
async function dropReferences(db: HeartwardDb, conversationId: string, lastCommon: number): Promise<void> {
  const waiting = await db.outbox.filter((row) => row.conversationId === conversationId).toArray();
  for (const { clientId, userId, body } of waiting) {
    if ((body.kind === 'reaction' || body.kind === 'delete') && body.seq > lastCommon)
      await db.outbox.delete(clientId);
    if (body.kind !== 'message' || (body.replyTo ?? 0) <= lastCommon) continue;
    const { replyTo: _, ...rest } = body;
    await db.outbox.update(clientId, { body: rest });
    await db.messages.update([userId, clientId], { replyTo: null });
  }
}

/** Turns a lost message into a rejected one, which the member can send again or discard. */
async function convertToRejected(db: HeartwardDb, row: MessageRow, recipientId: string): Promise<void> {
  const { senderId: userId, clientId, conversationId, content, messageType } = row;
  const attachments = row.attachments.map(({ url: _, thumbUrl: __, posterUrl: ___, id, ...file }) => ({
    ...file,
    localId: id,
  })) as LocalAttachment[];
  const files = await db.files.bulkGet(attachments.map(({ localId }) => localId));
  // A message without its files cannot be sent, and the server itself writes the messages about dates.
  if (row.deletedAt || messageType === 'date' || files.includes(undefined)) return;
  for (const { localId } of attachments) await db.files.update(localId, { keep: 'unsent' });
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
