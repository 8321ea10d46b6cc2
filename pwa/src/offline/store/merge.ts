/**
 * Merges the server's data into the rows, in a transaction of the page or the worker. Every function may be applied
 * twice, and older data never replaces newer data.
 */
import type { ConversationSummary, Message } from '../../api/types.ts';
import { deleteCachedFiles } from './fileCaches.ts';
import type { ConversationRow, MessageRow, ThreadRow } from './rows.ts';
import type { TableName, Tx } from './tx.ts';

export const MERGE_TABLES: TableName[] = ['conversations', 'threads', 'messages', 'files', 'blobs'];

/**
 * 'gap' means that the message was not appended: messages between it and the stored ones are missing, or the stored ones
 * are stale. They must be fetched.
 */
export type MergeResult = 'stored' | 'gap';

/** Stores the message. If it was deleted, removes the files of its earlier row from this device. */
async function storeMessage(tx: Tx, message: Message, earlier: MessageRow | undefined): Promise<void> {
  if (message.deletedAt && earlier) {
    for (const { id } of earlier.attachments) await deleteFile(tx, id);
    // A cache is not part of the transaction.
    const addresses = earlier.attachments.flatMap(({ url, thumbUrl, posterUrl }) => [
      url,
      thumbUrl,
      posterUrl,
    ]);
    void deleteCachedFiles(addresses.filter((address) => address !== null));
  }
  await tx.put('messages', { ...message, order: message.seq, state: 'stored' });
}

async function deleteFile(tx: Tx, id: string): Promise<void> {
  const file = await tx.get('files', id);
  if (!file) return;
  await tx.delete('blobs', file.blobId);
  await tx.delete('files', id);
}

/**
 * Merges one message by [senderId, clientId]. For the member's own message it is called with the acknowledgement and
 * with the live event; the first of them replaces the waiting row.
 */
export async function mergeMessage(tx: Tx, memberId: string, message: Message): Promise<MergeResult> {
  const thread = await tx.get('threads', message.conversationId);
  const { seq } = message;
  const stored = await tx.get('messages', [message.senderId, message.clientId]);
  const stale = thread !== undefined && (thread.stale || isRenumbered(thread, stored, seq));
  if (stale && !thread.stale) await markStale(tx, thread);
  const isAdjacent = thread ? seq >= thread.firstSeq - 1 && seq <= thread.lastSeq + 1 : seq === 1;
  // A stored message, such as the member's own, is updated even if messages before it are missing.
  if (((isAdjacent && !stale) || stored) && !isNewer(stored, message))
    await storeMessage(tx, message, stored);
  if (!isAdjacent || stale) return 'gap';
  await tx.put('threads', {
    rev: 0,
    ...thread,
    conversationId: message.conversationId,
    firstSeq: Math.min(thread?.firstSeq ?? seq, seq),
    lastSeq: Math.max(thread?.lastSeq ?? seq, seq),
  });
  await updateConversation(tx, memberId, message);
  return 'stored';
}

/**
 * Whether the server has numbered the messages again after a restore of its database: every seq of the thread's range
 * is stored, so another message with one of them has a new number.
 */
const isRenumbered = (thread: ThreadRow, stored: MessageRow | undefined, seq: number) =>
  seq >= thread.firstSeq && seq <= thread.lastSeq && stored?.seq !== seq;

async function markStale(tx: Tx, thread: ThreadRow): Promise<void> {
  await tx.put('threads', { ...thread, stale: true });
  const row = await tx.get('conversations', thread.conversationId);
  if (row) await tx.put('conversations', { ...row, stale: true });
}

/** Whether the row has newer changes than the message, which may be from a response to an earlier request. */
const isNewer = (row: MessageRow | undefined, message: Message) =>
  row?.state === 'stored' && row.rev > message.rev;

/**
 * Merges a change of a message (a reaction, a deletion). Changes are numbered by rev; 'gap' means that changes before
 * this one are missing. Of a message older than those on the device, only the rev is stored. A change of the flag has
 * no rev of its own, because the sender would see it: the event has the message's current rev.
 *
 * A change may arrive before its message, because two server processes publish them. It is then stored as the
 * message. Otherwise the message would be stored later in its original state, and its change would not be fetched.
 * 'gap' also means that messages before this one are missing.
 */
export async function mergeChange(tx: Tx, memberId: string, message: Message): Promise<MergeResult> {
  const { conversationId, rev, seq } = message;
  let thread = await tx.get('threads', conversationId);
  if (thread?.stale) return 'gap';
  if (thread ? seq > thread.lastSeq : seq === 1) {
    if ((await mergeMessage(tx, memberId, message)) === 'gap') return 'gap';
    thread = await tx.get('threads', conversationId);
  }
  const row = await tx.get('messages', [message.senderId, message.clientId]);
  if (row?.conversationId === conversationId) {
    if (rev > row.rev) await storeMessage(tx, message, row);
    else if (rev === row.rev && row.flag !== message.flag)
      await tx.put('messages', { ...row, flag: message.flag });
  }
  const conversation = await tx.get('conversations', conversationId);
  if (conversation?.lastMessage?.seq === seq)
    await tx.put('conversations', { ...conversation, lastMessage: lastMessageOf(message) });
  const known = thread?.rev ?? 0;
  if (!thread || rev <= known) return 'stored';
  if (rev > known + 1) return 'gap';
  await tx.put('threads', { ...thread, rev });
  return 'stored';
}

/**
 * Merges a page of changes, in the order of rev. A rev that is missing between two was replaced by a later change of
 * the same message. `upTo` is the server's rev if the page is the last one. 'gap' means that messages before a changed
 * one are missing.
 */
export async function mergeChanges(
  tx: Tx,
  memberId: string,
  conversationId: string,
  page: Message[],
  upTo = 0,
): Promise<MergeResult> {
  for (const message of page) await mergeChange(tx, memberId, message);
  const thread = await tx.get('threads', conversationId);
  if (!thread) return 'stored';
  const rev = Math.max(thread.rev ?? 0, upTo, page[page.length - 1]?.rev ?? 0);
  await tx.put('threads', { ...thread, rev });
  return page.some(({ seq }) => seq > thread.lastSeq) ? 'gap' : 'stored';
}

/**
 * Merges a gapless page of messages. A new thread starts with `rev`, the rev known before the request, because the page
 * contains all changes up to it.
 */
export async function mergePage(tx: Tx, memberId: string, page: Message[], rev = 0): Promise<MergeResult> {
  const first = page[0];
  if (!first) return 'stored';
  if (!(await tx.get('threads', first.conversationId))) {
    await tx.put('threads', {
      conversationId: first.conversationId,
      firstSeq: first.seq,
      // The first message is stored below.
      lastSeq: first.seq - 1,
      rev,
    });
  }
  let merged: MergeResult = 'stored';
  for (const message of page) if ((await mergeMessage(tx, memberId, message)) === 'gap') merged = 'gap';
  return merged;
}

async function updateConversation(tx: Tx, memberId: string, message: Message): Promise<void> {
  const row = await tx.get('conversations', message.conversationId);
  if (!row || row.stale || message.seq <= row.lastSeq) return;
  const unread = message.senderId !== memberId && message.seq > row.readSeq;
  // If presence is hidden, the server tells the delivery only with the reading or the answer.
  const isAnswer = message.senderId !== memberId && row.request === 'none' && row.lastSeenAt === null;
  await tx.put('conversations', {
    ...row,
    lastSeq: message.seq,
    unreadCount: row.unreadCount + (unread ? 1 : 0),
    peerDeliveredSeq: isAnswer ? Math.max(row.peerDeliveredSeq, message.seq) : row.peerDeliveredSeq,
    lastMessage: lastMessageOf(message),
    sortAt: message.sentAt,
  });
}

const lastMessageOf = (message: Message): NonNullable<ConversationRow['lastMessage']> => ({
  id: message.id,
  seq: message.seq,
  senderId: message.senderId,
  content: message.content,
  messageType: message.messageType,
  sentAt: message.sentAt,
  isRead: message.readAt !== null,
  durationMs: message.attachments[0]?.durationMs ?? null,
  attachmentCount: message.attachments.length,
  deleted: message.deletedAt !== null,
  flagged: message.flag !== null,
});

/** Merges a conversation of the server. Its numbers never decrease, unless the stored row is stale. */
export async function mergeSummary(tx: Tx, summary: ConversationSummary): Promise<ConversationRow> {
  const stored = await tx.get('conversations', summary.id);
  const known = stored?.stale ? undefined : stored;
  const newest = known && known.lastSeq > summary.lastSeq ? known : summary;
  const readSeq = Math.max(known?.readSeq ?? 0, summary.readSeq);
  const row: ConversationRow = {
    ...summary,
    userId: summary.user.id,
    lastSeq: newest.lastSeq,
    lastRev: Math.max(known?.lastRev ?? 0, summary.lastRev),
    lastMessage: newest.lastMessage,
    sortAt: newest.lastMessage?.sentAt ?? summary.createdAt,
    readSeq,
    unreadCount: readSeq >= newest.lastSeq ? 0 : newest.unreadCount,
    deliveredSeq: Math.max(known?.deliveredSeq ?? 0, summary.deliveredSeq),
    // The device may have it before the server.
    picturesShown: known?.picturesShown || summary.picturesShown,
    // The server returns null if read receipts are hidden.
    peerReadSeq: summary.peerReadSeq === null ? null : Math.max(known?.peerReadSeq ?? 0, summary.peerReadSeq),
    peerDeliveredSeq: Math.max(known?.peerDeliveredSeq ?? 0, summary.peerDeliveredSeq),
    // A spark never ends. Its event may arrive before the response of an earlier request.
    messageSparkAt: summary.messageSparkAt ?? known?.messageSparkAt ?? null,
    voiceConnectionAt: summary.voiceConnectionAt ?? known?.voiceConnectionAt ?? null,
  };
  await tx.put('conversations', row);
  return row;
}

export type ReceiptEvent = { conversationId: string; by: string; deliveredSeq?: number; readSeq?: number };

/**
 * Merges a receipt of the other member, or of this member on another device. Returns false if the conversation is not on
 * the device or stale: a sync fetches it.
 */
export async function mergeReceipt(tx: Tx, memberId: string, event: ReceiptEvent): Promise<boolean> {
  const row = await tx.get('conversations', event.conversationId);
  if (!row || row.stale) return false;
  const read = event.readSeq ?? 0;
  const delivered = Math.max(event.deliveredSeq ?? 0, read);
  if (event.by !== memberId) {
    const peerReadSeq = read > (row.peerReadSeq ?? 0) ? read : row.peerReadSeq;
    const peerDeliveredSeq = Math.max(row.peerDeliveredSeq, delivered);
    if (peerReadSeq !== row.peerReadSeq || peerDeliveredSeq !== row.peerDeliveredSeq)
      await tx.put('conversations', { ...row, peerReadSeq, peerDeliveredSeq });
    return true;
  }
  const readSeq = Math.max(row.readSeq, read);
  const deliveredSeq = Math.max(row.deliveredSeq, delivered);
  const unreadCount = readSeq >= row.lastSeq ? 0 : row.unreadCount;
  if (readSeq !== row.readSeq || deliveredSeq !== row.deliveredSeq)
    await tx.put('conversations', { ...row, readSeq, deliveredSeq, unreadCount });
  return true;
}

export type SparkTime = Partial<Pick<ConversationRow, 'messageSparkAt' | 'voiceConnectionAt'>>;

/** Merges the time of a spark. Returns false if the conversation is not on the device or stale: a sync fetches it. */
export async function mergeSpark(tx: Tx, conversationId: string, time: SparkTime): Promise<boolean> {
  const row = await tx.get('conversations', conversationId);
  if (!row || row.stale) return false;
  await tx.put('conversations', { ...row, ...time });
  return true;
}
