/** Applies the events of the socket to the member's database. */
import type { HeartwardDb } from '@/offline/store/db.ts';
import { mergeReceipt, mergeSpark, type SparkTime } from '@/offline/store/merge.ts';
import { purgeWithNotice } from '@/offline/store/purge.ts';
import type { Tx } from '@/offline/store/tx.ts';
import { applyChange, applyMessage } from '@/offline/sync/apply.ts';
import { catchUp } from '@/offline/sync/catchUp.ts';
import { removeConversation, sync } from '@/offline/sync/sync.ts';
import type { FrameSource } from './frameSource.ts';
import type { FrameOf } from './frames.ts';

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
  await purgeWithNotice(db, userId);
  // A response in flight may still contain the conversation; the next sync removes it.
  await sync(db);
}

/**
 * Merges an event into the row of its conversation. If `merge` returns false, a sync fetches the row; a running one is
 * repeated, because its response may be from before the event.
 */
async function applyToConversation(db: HeartwardDb, merge: (tx: Tx) => Promise<boolean>): Promise<void> {
  if (!(await db.transact(['conversations'], merge))) await sync(db);
}

/** Stores the time of a spark; screens read it from the conversation. */
async function applySpark(db: HeartwardDb, { conversationId, spark, at }: FrameOf<'spark'>): Promise<void> {
  const time = sparkTime(spark, at);
  if (time) await applyToConversation(db, (tx) => mergeSpark(tx, conversationId, time));
}

/** Returns the field of a spark; null for a kind of a newer server. */
function sparkTime(spark: string, at: string): SparkTime | null {
  if (spark === 'message_spark') return { messageSparkAt: at };
  return spark === 'voice_connection' ? { voiceConnectionAt: at } : null;
}

/** Loaded on demand, because most tabs need no dates. */
async function applyDateChanged(db: HeartwardDb, { dateId }: FrameOf<'date_changed'>): Promise<void> {
  const { fetchDate } = await import('@/domain/plannedDates.ts');
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
 * Applies the events of conversations, matches and dates. Events of one conversation, except sparks and dates, run in
 * order; a conversation that waits for the network does not delay other conversations. Returns a function that stops
 * listening.
 */
export function applyEvents(socket: FrameSource, db: HeartwardDb): () => void {
  const repair = (error: unknown) => {
    console.warn('A live event could not be applied; a sync repairs it', error);
    catchUp(db);
  };
  const inLane = createLanes(repair);
  const receipt = (event: Parameters<typeof mergeReceipt>[2]) =>
    inLane(event.conversationId, () => applyToConversation(db, (tx) => mergeReceipt(tx, db.memberId, event)));

  const stops = [
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
    socket.on('spark', (frame) => void applySpark(db, frame).catch(repair)),
    socket.on('unmatched', (frame) => {
      // At once, because no data of the other member may stay; and again after the conversation's earlier events, which
      // may have stored some of it again.
      const removed = applyUnmatched(db, frame).catch(repair);
      const { conversationId, userId } = frame;
      if (!conversationId) return;
      inLane(conversationId, async () => {
        await removed;
        await purgeWithNotice(db, userId);
        await removeConversation(db, conversationId);
      });
    }),
    socket.on('date_changed', (frame) => void applyDateChanged(db, frame).catch(repair)),
    socket.on('sync', () => catchUp(db)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
