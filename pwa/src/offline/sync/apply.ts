/** Applies the server's live events to the member's database. */
import type { Message } from '../../api/types.ts';
import type { HeartwardDb } from '../store/db.ts';
import { MERGE_TABLES, mergeChange, mergeMessage } from '../store/merge.ts';
import { MESSAGE_DEFAULTS } from '../store/rows.ts';
import type { Tx } from '../store/tx.ts';
import { catchUp } from './catchUp.ts';
import { enqueueDelivered, fetchChanges, fetchDelta, sync } from './sync.ts';

/** Stores a message from the socket. If messages before it are missing, fetches them. */
export async function applyMessage(db: HeartwardDb, received: Message): Promise<void> {
  if (!isStorable(received)) return catchUp(db);
  const message = { ...MESSAGE_DEFAULTS, ...received };
  const { conversationId, seq, senderId } = message;
  const { merged, known } = await db.transact(MERGE_TABLES, async (tx) => ({
    merged: await mergeMessage(tx, db.memberId, await withStoredFlag(tx, message)),
    known: await isCurrent(tx, conversationId),
  }));
  if (!known) await sync(db);
  if (merged === 'gap') await fetchDelta(db, conversationId, seq);
  else if (senderId !== db.memberId) await enqueueDelivered(db, conversationId);
}

/**
 * Returns a received message with the flag of the stored row. The event contains the message as it was sent; its flag
 * may have arrived earlier from another server process, and flags have no rev by which to order the two.
 */
async function withStoredFlag(tx: Tx, message: Message): Promise<Message> {
  const row = await tx.get('messages', [message.senderId, message.clientId]);
  return row?.state === 'stored' && row.seq === message.seq ? { ...message, flag: row.flag } : message;
}

/** Whether the conversation is stored and not stale; otherwise a sync fetches it. */
async function isCurrent(tx: Tx, conversationId: string): Promise<boolean> {
  const row = await tx.get('conversations', conversationId);
  return row !== undefined && !row.stale;
}

/**
 * Whether the message has the fields of its row's keys. A newer server may send a shape that this build does not know.
 */
const isStorable = ({ conversationId, senderId, clientId, seq }: Message): boolean =>
  Boolean(conversationId && senderId && clientId) && Number.isInteger(seq) && seq > 0;

/** Stores a changed message. If messages or changes before it are missing, fetches them. */
export async function applyChange(db: HeartwardDb, received: Message): Promise<void> {
  if (!isStorable(received)) return catchUp(db);
  const message = { ...MESSAGE_DEFAULTS, ...received };
  const { conversationId, seq } = message;
  const merged = await db.transact(MERGE_TABLES, (tx) => mergeChange(tx, db.memberId, message));
  if (merged === 'stored') return;
  const thread = await db.threads.get(conversationId);
  if (thread && !thread.stale && seq > thread.lastSeq) await fetchDelta(db, conversationId, seq);
  await fetchChanges(db, conversationId);
}
