/**
 * The end of a match by the member. It is stored on the device and sent ten seconds later, because an unmatch by accident
 * cannot be taken back on the server: the conversation is closed for both. Until it is sent, the match is there, and the
 * screens say that it is ending.
 */
import { enqueue, unmatchRow } from '@/offline/outbox/outbox.ts';
import { useLive } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { OutboxRow } from '@/offline/store/rows.ts';

/** The time in which the member can take it back, at least. Offline it is longer, and so it is when the app is closed. */
export const UNDO_MS = 10_000;

export async function unmatch(db: HeartwardDb, matchId: string, userId: string): Promise<void> {
  await enqueue(db, { kind: 'unmatch', matchId, userId }, { holdMs: UNDO_MS });
}

/** Removes an unmatch that was not sent yet. Resolves to false if it is too late. */
export function cancelUnmatch(db: HeartwardDb, userId: string): Promise<boolean> {
  return db.transaction('rw', db.outbox, async () => {
    const row = await db.outbox.get(unmatchRow(userId));
    if (row?.state !== 'queued') return false;
    await db.outbox.delete(row.clientId);
    return true;
  });
}

/** Returns the ids of the members whose match is ending, according to the rows of the outbox. */
export const endingOf = (outbox: OutboxRow[]): ReadonlySet<string> =>
  new Set(outbox.flatMap(({ body }) => (body.kind === 'unmatch' ? [body.userId] : [])));

export const readEnding = async (db: HeartwardDb): Promise<ReadonlySet<string>> =>
  endingOf(await db.outbox.toArray());

/** Whether the match with a member is ending. */
export const useIsEnding = (userId: string): boolean =>
  useLive(async (db) => (await db.outbox.get(unmatchRow(userId))) !== undefined, [userId]) ?? false;
