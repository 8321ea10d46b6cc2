/** Writes what the socket says into the member's database; screens read it there. */
import type { Message } from '@/api/types.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { MERGE_TABLES, mergeChange, mergeMessage, mergeReceipt } from '@/offline/store/merge.ts';
import { partedFrom } from '@/offline/store/purge.ts';
import { PLAIN, type Tx } from '@/offline/store/rows.ts';
import { enqueueDelivered, fetchChanges, fetchDelta, removeConversation, sync } from '@/offline/sync/sync.ts';
import { catchUp } from './catchUp.ts';
import type { FrameSource } from './frameSource.ts';
import type { FrameOf } from './frames.ts';

/** Stores a message from the socket; one that skips a number fetches what is missing instead. */
export async function applyMessage(db: HeartwardDb, received: Message): Promise<void> {
  if (!isStorable(received)) return catchUp(db);
  const message = { ...PLAIN, ...received };
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

/** A conversation that is new or stale is brought by a sync. */
async function isCurrent(tx: Tx, conversationId: string): Promise<boolean> {
  const row = await tx.get('conversations', conversationId);
  return row !== undefined && !row.stale;
}

/** Whether the message has what its row is stored under; a newer server may send a shape that this build does not know. */
const isStorable = ({ conversationId, senderId, clientId, seq }: Message): boolean =>
  Boolean(conversationId && senderId && clientId) && Number.isInteger(seq) && seq > 0;

/** Stores a changed message; when messages or changes before it are missing, those are fetched. */
export async function applyChange(db: HeartwardDb, received: Message): Promise<void> {
  if (!isStorable(received)) return catchUp(db);
  const message = { ...PLAIN, ...received };
  const { conversationId, seq } = message;
  const merged = await db.transact(MERGE_TABLES, (tx) => mergeChange(tx, db.memberId, message));
  if (merged === 'stored') return;
  const thread = await db.threads.get(conversationId);
  if (thread && !thread.stale && seq > thread.lastSeq) await fetchDelta(db, conversationId, seq);
  await fetchChanges(db, conversationId);
}

async function applyMatch(db: HeartwardDb, frame: FrameOf<'match'>): Promise<void> {
  const { matchId, conversationId, user } = frame;
  await db.transaction('rw', db.matches, async () => {
    const known = await db.matches.get(matchId);
    await db.matches.put({
      ...known,
      id: matchId,
      user,
      conversationId,
      matchedAt: frame.matchedAt ?? known?.matchedAt ?? new Date().toISOString(),
      seen: known?.seen ?? false,
    });
  });
  await sync(db);
}

/** Removes a member from this device after either side ended the match. */
async function applyUnmatched(db: HeartwardDb, { userId }: FrameOf<'unmatched'>): Promise<void> {
  await partedFrom(db, userId);
  // An answer under way may still have held the conversation; the next one says that it is gone.
  await sync(db);
}

/** Fetched with the first date that changes: most tabs never need it. */
async function applyDateChanged(db: HeartwardDb, { dateId }: FrameOf<'date_changed'>): Promise<void> {
  const { fetchDate } = await import('@/offline/sync/dates.ts');
  await fetchDate(db, dateId);
}

/** Runs work of the same key in order, and work of different keys independently. */
function createLanes(repair: (error: unknown) => void): (key: string, work: () => Promise<void>) => void {
  const tails = new Map<string, Promise<void>>();
  return (key, work) => {
    const tail = (tails.get(key) ?? Promise.resolve())
      .then(work)
      .catch(repair)
      .then(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
    tails.set(key, tail);
  };
}

/**
 * Applies every event that changes stored data. Events of one conversation run in order; a conversation that waits
 * for the network does not delay the others. Returns a function that stops listening.
 */
export function applyEvents(socket: FrameSource, db: HeartwardDb): () => void {
  const repair = (error: unknown) => {
    console.warn('A live event could not be applied; a sync repairs it', error);
    catchUp(db);
  };
  const inLane = createLanes(repair);
  const receipt = (event: Parameters<typeof mergeReceipt>[2]) =>
    inLane(event.conversationId, () =>
      db.transact(['conversations'], (tx) => mergeReceipt(tx, db.memberId, event)),
    );

  const offs = [
    socket.on('new_message', ({ type: _type, recipientId: _to, ...message }) =>
      inLane(message.conversationId, () => applyMessage(db, message)),
    ),
    socket.on('message_changed', ({ message }) =>
      inLane(message.conversationId, () => applyChange(db, message)),
    ),
    socket.on('message_read', (frame) =>
      receipt({ conversationId: frame.conversationId, by: frame.readBy, readSeq: frame.seq }),
    ),
    socket.on('message_delivered', (frame) =>
      receipt({ conversationId: frame.conversationId, by: frame.deliveredTo, deliveredSeq: frame.seq }),
    ),
    socket.on('match', (frame) => inLane(frame.conversationId, () => applyMatch(db, frame))),
    socket.on('unmatched', (frame) => {
      // At once, because nothing of the other member may stay; and again after what was under way for the
      // conversation, which may have stored some of it again.
      const removed = applyUnmatched(db, frame).catch(repair);
      const { conversationId, userId } = frame;
      if (!conversationId) return;
      inLane(conversationId, async () => {
        await removed;
        await partedFrom(db, userId);
        await removeConversation(db, conversationId);
      });
    }),
    socket.on('date_changed', (frame) => void applyDateChanged(db, frame).catch(repair)),
    socket.on('sync', () => catchUp(db)),
  ];
  return () => {
    for (const off of offs) off();
  };
}
