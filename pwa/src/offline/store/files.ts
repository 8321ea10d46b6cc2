/**
 * Files kept whole on this device: our own until they are sent and after, and what was heard or seen of the
 * other member. Bounded; who was missed longest goes first, and never what has still to be sent.
 */
import type { HeartwardDb } from './db.ts';
import { withQuotaRetry } from './quota.ts';
import type { BlobRow } from './rows.ts';

/** All that can be fetched again, together. */
const KEEP_BYTES = 100 * 1024 * 1024;

/** The bytes of a file that this device has; remembers that they were wanted. */
export async function readFile(db: HeartwardDb, id: string): Promise<BlobRow | null> {
  const row = await db.blobs.get(id);
  if (row) await db.blobs.update(id, { usedAt: Date.now() });
  return row ?? null;
}

/** Keeps what was fetched whole; the oldest of its kind make room. */
export async function storeHeard(
  db: HeartwardDb,
  file: { id: string; conversationId: string; blob: Blob },
): Promise<void> {
  const { id, conversationId, blob } = file;
  const row: BlobRow = {
    id,
    conversationId,
    keep: 'heard',
    blob,
    poster: null,
    bytes: blob.size,
    usedAt: Date.now(),
  };
  await withQuotaRetry(db, () =>
    db.transaction('rw', db.blobs, db.conversations, async () => {
      // The two have parted while it travelled.
      if (!(await db.conversations.get(conversationId))) return;
      if (!(await db.blobs.get(id))) await db.blobs.put(row);
    }),
  );
  await evictFiles(db, KEEP_BYTES);
}

/** Lets go of what was used longest ago until the rest fits. */
export async function evictFiles(db: HeartwardDb, most: number): Promise<void> {
  await db.transaction('rw', db.blobs, async () => {
    let total = 0;
    const gone: string[] = [];
    await db.blobs
      .orderBy('usedAt')
      .reverse()
      .each(({ id, keep, bytes }) => {
        if (keep === 'unsent') return;
        total += bytes;
        if (total > most) gone.push(id);
      });
    await db.blobs.bulkDelete(gone);
  });
}
