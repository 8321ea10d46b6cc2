/** The passes that can still be taken back: kept on the device, so that undo works offline and after a reload. */

import { enqueue, outboxTables } from '@/offline/outbox/outbox.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, setMeta, type UndoablePass } from '@/offline/store/meta.ts';
import type { FeedRow } from '@/offline/store/rows.ts';

/** One step back each; nobody remembers further. */
const KEPT = 20;

/** The tables that `keepPass`, `forgetPass` and `takeBackPass` need in the caller's transaction. */
export const passTables = (db: HeartwardDb) => [...outboxTables(db), db.feed, db.meta];

export const readPasses = (db: HeartwardDb): Promise<UndoablePass[]> => getMeta(db, 'passes');

/** Remembers somebody who is passed on now, before the lists forget them. */
export async function keepPass(db: HeartwardDb, id: string, passId: string): Promise<void> {
  const rows = (
    await db.feed.bulkGet([
      ['forYou', id],
      ['discover', id],
    ])
  ).filter((row) => row !== undefined);
  if (rows.length === 0) return;
  const before = (await readPasses(db)).filter((passed) => passed.id !== id);
  await setMeta(db, 'passes', [...before, { id, rows, passId }].slice(-KEPT));
}

/** Whoever is liked after all has no pass to be taken back. */
export async function forgetPass(db: HeartwardDb, id: string): Promise<void> {
  const kept = await readPasses(db);
  const left = kept.filter((passed) => passed.id !== id);
  if (left.length < kept.length) await setMeta(db, 'passes', left);
}

/** Takes the last pass back and puts the card on top of the deck again; null when there is none. */
export async function takeBackPass(db: HeartwardDb): Promise<FeedRow | null> {
  const kept = await readPasses(db);
  const last = kept.pop();
  const candidate = last?.rows[0]?.candidate;
  if (!last || !candidate) return null;
  await setMeta(db, 'passes', kept);
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

/** A pass that never left the device goes without a word; any other is followed by its opposite. */
async function unsend(db: HeartwardDb, { id, passId }: UndoablePass): Promise<void> {
  const rows = await db.outbox
    .filter(({ body }) => body.kind === 'pass' && body.targetUserId === id)
    .sortBy('localSeq');
  const pass = rows.at(-1);
  if (pass?.state === 'failed') return;
  if (pass?.state === 'queued') await db.outbox.delete(pass.clientId);
  // Tried before, it may have arrived although the answer did not.
  if (pass?.state === 'queued' && pass.attempts === 0) return;
  await enqueue({ kind: 'unpass', targetUserId: id, ...(passId && { passId }) });
}
