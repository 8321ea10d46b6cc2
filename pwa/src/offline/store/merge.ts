/**
 * How what the server says becomes rows. Pure rules over one transaction, the
 * same in page and worker; every rule may be applied twice, and an older answer
 * never undoes a newer one.
 */
import type { ConversationSummary, Message } from '../../api/types.ts';
import type { ConversationRow, MessageRow, TableName, ThreadRow, Tx } from './rows.ts';

export const MERGE_TABLES: TableName[] = ['conversations', 'threads', 'messages'];

/** 'gap' means: not appended, messages before it are missing, fetch the delta. */
export type Merged = 'stored' | 'gap';

const storedRow = (message: Message): MessageRow => ({ ...message, order: message.seq, state: 'stored' });

/**
 * Merges one message by [senderId, clientId]. Acknowledgement and live echo of
 * our own message both come here; whichever is first replaces the waiting row.
 */
export async function mergeMessage(tx: Tx, memberId: string, message: Message): Promise<Merged> {
  const thread = await tx.get('threads', message.conversationId);
  const { seq } = message;
  const stored = await tx.get('messages', [message.senderId, message.clientId]);
  const stale = thread !== undefined && (thread.stale || isOtherNumbering(thread, stored, seq));
  if (stale && !thread.stale) await markStale(tx, thread);
  const touches = thread ? seq >= thread.firstSeq - 1 && seq <= thread.lastSeq + 1 : seq === 1;
  // Our own bubble gets its tick even when others are still missing before it.
  if (((touches && !stale) || stored) && !isNewer(stored, message))
    await tx.put('messages', storedRow(message));
  if (!touches || stale) return 'gap';
  await tx.put('threads', {
    rev: 0,
    ...thread,
    conversationId: message.conversationId,
    firstSeq: Math.min(thread?.firstSeq ?? seq, seq),
    lastSeq: Math.max(thread?.lastSeq ?? seq, seq),
  });
  await noteInConversation(tx, memberId, message);
  return 'stored';
}

/**
 * Every number of a thread is stored, so another message with one of them is of a numbering that the server began
 * anew: its data was put back in time.
 */
const isOtherNumbering = (thread: ThreadRow, stored: MessageRow | undefined, seq: number) =>
  seq >= thread.firstSeq && seq <= thread.lastSeq && stored?.seq !== seq;

async function markStale(tx: Tx, thread: ThreadRow): Promise<void> {
  await tx.put('threads', { ...thread, stale: true });
  const row = await tx.get('conversations', thread.conversationId);
  if (row) await tx.put('conversations', { ...row, stale: true });
}

/** A page that was asked for before a change and came after it says what was before. */
const isNewer = (row: MessageRow | undefined, message: Message) =>
  row?.state === 'stored' && row.rev > message.rev;

/**
 * Merges a change of a message (a reaction, a deletion). They are numbered as messages are: 'gap' means that
 * changes before it are missing. One of an older message that is not on the device only counts. What became of its
 * flag has no number, for the sender would see it: it comes with the one that the message has.
 *
 * A change may arrive before its message, because two server processes publish them. It is then stored as the
 * message. Otherwise the message would be stored later in its original state, and its change would not be fetched.
 * 'gap' also means that messages before this one are missing.
 */
export async function mergeChange(tx: Tx, memberId: string, message: Message): Promise<Merged> {
  const { conversationId, rev, seq } = message;
  let thread = await tx.get('threads', conversationId);
  if (thread?.stale) return 'gap';
  if (thread ? seq > thread.lastSeq : seq === 1) {
    if ((await mergeMessage(tx, memberId, message)) === 'gap') return 'gap';
    thread = await tx.get('threads', conversationId);
  }
  const row = await tx.get('messages', [message.senderId, message.clientId]);
  if (row?.conversationId === conversationId) {
    if (rev > row.rev) await tx.put('messages', storedRow(message));
    else if (rev === row.rev && row.flag !== message.flag)
      await tx.put('messages', { ...row, flag: message.flag });
  }
  const conversation = await tx.get('conversations', conversationId);
  if (conversation?.lastMessage?.seq === seq)
    await tx.put('conversations', { ...conversation, lastMessage: lastOf(message) });
  const known = thread?.rev ?? 0;
  if (!thread || rev <= known) return 'stored';
  if (rev > known + 1) return 'gap';
  await tx.put('threads', { ...thread, rev });
  return 'stored';
}

/**
 * Merges changes as the server gave them, in the order of their rev: those between were changed again later.
 * `upTo` is as far as the server had got when it was known that there are no more. 'gap' means that a changed
 * message and others before it are missing.
 */
export async function mergeChanges(
  tx: Tx,
  memberId: string,
  conversationId: string,
  page: Message[],
  upTo = 0,
): Promise<Merged> {
  for (const message of page) await mergeChange(tx, memberId, message);
  const thread = await tx.get('threads', conversationId);
  if (!thread) return 'stored';
  const rev = Math.max(thread.rev ?? 0, upTo, page[page.length - 1]?.rev ?? 0);
  await tx.put('threads', { ...thread, rev });
  return page.some(({ seq }) => seq > thread.lastSeq) ? 'gap' : 'stored';
}

/**
 * Merges a page as the server gave it: ascending and unbroken. `rev` is how far changes were known before the
 * page was asked for: a thread that begins with it has no earlier ones to catch up with.
 */
export async function mergePage(tx: Tx, memberId: string, page: Message[], rev = 0): Promise<Merged> {
  const first = page[0];
  if (!first) return 'stored';
  if (!(await tx.get('threads', first.conversationId))) {
    await tx.put('threads', {
      conversationId: first.conversationId,
      firstSeq: first.seq,
      // It is not stored yet.
      lastSeq: first.seq - 1,
      rev,
    });
  }
  let merged: Merged = 'stored';
  for (const message of page) if ((await mergeMessage(tx, memberId, message)) === 'gap') merged = 'gap';
  return merged;
}

async function noteInConversation(tx: Tx, memberId: string, message: Message): Promise<void> {
  const row = await tx.get('conversations', message.conversationId);
  if (!row || row.stale || message.seq <= row.lastSeq) return;
  const unread = message.senderId !== memberId && message.seq > row.readSeq;
  await tx.put('conversations', {
    ...row,
    lastSeq: message.seq,
    unreadCount: row.unreadCount + (unread ? 1 : 0),
    lastMessage: lastOf(message),
    sortAt: message.sentAt,
  });
}

const lastOf = (message: Message): NonNullable<ConversationRow['lastMessage']> => ({
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

/** Takes a summary from the server. Sequence numbers only ever rise, but those of a stale row mean nothing. */
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
    // Null: the server no longer returns it.
    peerReadSeq: summary.peerReadSeq === null ? null : Math.max(known?.peerReadSeq ?? 0, summary.peerReadSeq),
    peerDeliveredSeq: Math.max(known?.peerDeliveredSeq ?? 0, summary.peerDeliveredSeq),
  };
  await tx.put('conversations', row);
  return row;
}

export type ReceiptEvent = { conversationId: string; by: string; deliveredSeq?: number; readSeq?: number };

/** A receipt of the other member, or of our own on another device. */
export async function mergeReceipt(tx: Tx, memberId: string, event: ReceiptEvent): Promise<void> {
  const row = await tx.get('conversations', event.conversationId);
  if (!row || row.stale) return;
  const read = event.readSeq ?? 0;
  const delivered = Math.max(event.deliveredSeq ?? 0, read);
  if (event.by !== memberId) {
    const peerReadSeq = read > (row.peerReadSeq ?? 0) ? read : row.peerReadSeq;
    const peerDeliveredSeq = Math.max(row.peerDeliveredSeq, delivered);
    if (peerReadSeq === row.peerReadSeq && peerDeliveredSeq === row.peerDeliveredSeq) return;
    await tx.put('conversations', { ...row, peerReadSeq, peerDeliveredSeq });
    return;
  }
  const readSeq = Math.max(row.readSeq, read);
  const deliveredSeq = Math.max(row.deliveredSeq, delivered);
  if (readSeq === row.readSeq && deliveredSeq === row.deliveredSeq) return;
  await tx.put('conversations', {
    ...row,
    readSeq,
    deliveredSeq,
    unreadCount: readSeq >= row.lastSeq ? 0 : row.unreadCount,
  });
}
