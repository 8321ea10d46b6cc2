/** Writes what the socket says into the member's database; screens read it there. */
import type { Message } from '@/api/types.ts';
import type { HeartwardDb } from '@/offline/db.ts';
import { partedFrom } from '@/offline/forget.ts';
import { MERGE_TABLES, mergeChange, mergeMessage, mergeReceipt } from '@/offline/merge.ts';
import { fetchChanges, fetchDelta, noteDelivered, sync } from '@/offline/sync.ts';
import type { FrameOf } from './frames.ts';
import type { Socket } from './socket.ts';

/** Stores a message from the socket; one that skips a number fetches what is missing instead. */
export async function applyMessage(db: HeartwardDb, message: Message): Promise<void> {
  const { conversationId, seq, senderId } = message;
  const { merged, known } = await db.transact(MERGE_TABLES, async (tx) => ({
    merged: await mergeMessage(tx, db.memberId, message),
    known: (await tx.get('conversations', conversationId)) !== undefined,
  }));
  if (!known) await sync(db);
  if (merged === 'gap') await fetchDelta(db, conversationId, seq);
  else if (senderId !== db.memberId) await noteDelivered(db, conversationId);
}

/** Stores a changed message; when changes before it are missing, those are fetched. */
export async function applyChange(db: HeartwardDb, message: Message): Promise<void> {
  const merged = await db.transact(MERGE_TABLES, (tx) => mergeChange(tx, message));
  if (merged === 'gap') await fetchChanges(db, message.conversationId);
}

async function applyMatch(db: HeartwardDb, frame: FrameOf<'match'>): Promise<void> {
  const { matchId, conversationId, user } = frame;
  const known = await db.matches.get(matchId);
  // The moment is ours until the list of matches brings the server's.
  const matchedAt = known?.matchedAt ?? new Date().toISOString();
  await db.matches.put({
    ...known,
    id: matchId,
    user,
    conversationId,
    matchedAt,
    seen: known?.seen ?? false,
  });
  await sync(db);
}

/** The two have parted, whoever of them wished it: the other goes from this device at once. */
async function applyUnmatched(db: HeartwardDb, { userId }: FrameOf<'unmatched'>): Promise<void> {
  await partedFrom(db, userId);
  // An answer under way may still have held the conversation; the next one says that it is gone.
  await sync(db);
}

/** Fetched with the first date that changes: most tabs never need it. */
async function applyDateChanged(db: HeartwardDb, { dateId }: FrameOf<'date_changed'>): Promise<void> {
  const { fetchDate } = await import('@/offline/dates.ts');
  await fetchDate(db, dateId);
}

/** What fails here is made good by the next sync, so it is only worth a warning. */
function later(work: Promise<void>): void {
  work.catch((error: unknown) => console.warn('A live event will be made good by the next sync', error));
}

/** Applies every event that changes stored data, one after the other. Returns the way to stop. */
export function applyEvents(socket: Socket, db: HeartwardDb): () => void {
  let last: Promise<void> = Promise.resolve();
  const inOrder = (work: () => Promise<void>) => {
    last = last.then(work).catch((error: unknown) => later(Promise.reject(error)));
  };
  const receipt = (event: Parameters<typeof mergeReceipt>[2]) =>
    inOrder(() => db.transact(['conversations'], (tx) => mergeReceipt(tx, db.memberId, event)));

  const offs = [
    socket.on('new_message', ({ type: _type, recipientId: _to, ...message }) =>
      inOrder(() => applyMessage(db, message)),
    ),
    socket.on('message_changed', ({ message }) => inOrder(() => applyChange(db, message))),
    socket.on('message_read', (frame) =>
      receipt({ conversationId: frame.conversationId, by: frame.readBy, readSeq: frame.seq }),
    ),
    socket.on('message_delivered', (frame) =>
      receipt({ conversationId: frame.conversationId, by: frame.deliveredTo, deliveredSeq: frame.seq }),
    ),
    socket.on('match', (frame) => inOrder(() => applyMatch(db, frame))),
    socket.on('unmatched', (frame) => inOrder(() => applyUnmatched(db, frame))),
    socket.on('date_changed', (frame) => later(applyDateChanged(db, frame))),
    socket.on('sync', () => later(sync(db))),
  ];
  return () => {
    for (const off of offs) off();
  };
}
