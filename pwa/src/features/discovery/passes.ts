/** The passes that can be undone, stored on the device so that undo works offline and after a reload. */

import { enqueue, outboxTables } from '@/offline/outbox/outbox.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, setMeta, type UndoablePass } from '@/offline/store/meta.ts';
import type { FeedRow } from '@/offline/store/rows.ts';

/** The maximum number of stored passes. */
const MAX_STORED = 20;

/** The tables that `storePass`, `removePass` and `restoreLastPass` need in the caller's transaction. */
export const passTables = (db: HeartwardDb) => [...outboxTables(db), db.feed, db.meta];

export const readPasses = (db: HeartwardDb): Promise<UndoablePass[]> => getMeta(db, 'passes');

/** Stores a pass with its cards, before they are removed from the lists. */
export async function storePass(db: HeartwardDb, id: string, passId: string): Promise<void> {
  const rows = (
    await db.feed.bulkGet([
      ['forYou', id],
      ['discover', id],
    ])
  ).filter((row) => row !== undefined);
  if (rows.length === 0) return;
  const before = (await readPasses(db)).filter((passed) => passed.id !== id);
  await setMeta(db, 'passes', [...before, { id, rows, passId }].slice(-MAX_STORED));
}

/** Removes the stored pass of a member who is liked afterwards. */
export async function removePass(db: HeartwardDb, id: string): Promise<void> {
  const stored = await readPasses(db);
  const remaining = stored.filter((passed) => passed.id !== id);
  if (remaining.length < stored.length) await setMeta(db, 'passes', remaining);
}

/** Undoes the last pass and puts its card on top of the deck; null if there is none. */
export async function restoreLastPass(db: HeartwardDb): Promise<FeedRow | null> {
  const stored = await readPasses(db);
  const last = stored.pop();
  const candidate = last?.rows[0]?.candidate;
  if (!last || !candidate) return null;
  await setMeta(db, 'passes', stored);
  await unsend(db, last);
  const first = await db.feed
    .where('[list+rank]')
    .between(['forYou', -Infinity], ['forYou', Infinity])
    .first();
  const row: FeedRow = {
    list: 'forYou',
    id: last.id,
    rank: (first?.rank ?? 0) - 1,
    candidate,
    fetchedAt: Date.now(),
  };
  await db.feed.bulkPut([...last.rows.filter(({ list }) => list === 'discover'), row]);
  return row;
}

/**
 * Deletes the row of a queued pass. A pass that the server may have stored is followed by an unpass; a rejected one
 * needs nothing.
 */
async function unsend(db: HeartwardDb, { id, passId }: UndoablePass): Promise<void> {
  const rows = await db.outbox
    .filter(({ body }) => body.kind === 'pass' && body.targetUserId === id)
    .sortBy('localSeq');
  const pass = rows.at(-1);
  if (pass?.state === 'failed') return;
  if (pass?.state === 'queued') await db.outbox.delete(pass.clientId);
  // After an attempt without a response the server may have stored it.
  if (pass?.state === 'queued' && pass.attempts === 0) return;
  await enqueue({ kind: 'unpass', targetUserId: id, ...(passId && { passId }) });
}
