/** The passes that can be undone, stored on the device so that undo works offline and after a reload. */

import type { HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, setMeta, type UndoablePass } from '@/offline/store/meta.ts';
import type { FeedRow } from '@/offline/store/rows.ts';

/** The maximum number of stored passes. */
const MAX_STORED = 20;

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

/** Puts the card of the last pass on top of the deck and returns the pass with it; null if there is none. undoPass removes it. */
export async function restoreLastPass(
  db: HeartwardDb,
): Promise<(Pick<UndoablePass, 'id' | 'passId'> & { row: FeedRow }) | null> {
  const last = (await readPasses(db)).at(-1);
  const candidate = last?.rows[0]?.candidate;
  if (!last || !candidate) return null;
  const { id, passId, rows } = last;
  const first = await db.feed
    .where('[list+rank]')
    .between(['forYou', -Infinity], ['forYou', Infinity])
    .first();
  const row: FeedRow = { list: 'forYou', id, rank: (first?.rank ?? 0) - 1, candidate, fetchedAt: Date.now() };
  await db.feed.bulkPut([...rows.filter(({ list }) => list === 'discover'), row]);
  return { id, passId, row };
}
