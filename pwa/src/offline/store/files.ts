/**
 * The files stored on this device: the member's own, before and after they are sent, and played or viewed files of
 * other members. The least recently used files are evicted, but never unsent ones.
 */
import type { HeartwardDb } from './db.ts';
import { deleteFiles, putFile } from './fileRows.ts';
import { withQuotaRetry } from './quota.ts';
import type { BlobRow } from './rows.ts';

/** The maximum total size of the files that can be fetched again. */
const MAX_BYTES = 100 * 1024 * 1024;

/** Returns the bytes of a stored file and updates the time of its last use; null if it is not stored. */
export async function readFile(db: HeartwardDb, id: string): Promise<BlobRow | null> {
  const file = await db.files.get(id);
  if (!file) return null;
  await db.files.update(id, { usedAt: Date.now() });
  return (await db.blobs.get(file.blobId)) ?? null;
}

/** Stores a downloaded file, and evicts others beyond the maximum size. */
export async function storeDownloadedFile(
  db: HeartwardDb,
  file: { id: string; conversationId: string; blob: Blob },
): Promise<void> {
  const { id, conversationId, blob } = file;
  await withQuotaRetry(db, () =>
    db.transaction('rw', db.files, db.blobs, db.conversations, async () => {
      // The contact may have ended during the download.
      if (!(await db.conversations.get(conversationId))) return;
      if (await db.files.get(id)) return;
      await putFile(db, { id, conversationId, keep: 'heard', blob, poster: null, bytes: blob.size });
    }),
  );
  await evictFiles(db, MAX_BYTES);
}

/** Evicts the least recently used files until the others have at most `maxBytes`. */
export async function evictFiles(db: HeartwardDb, maxBytes: number): Promise<void> {
  await db.transaction('rw', db.files, db.blobs, async () => {
    let total = 0;
    const evicted: string[] = [];
    await db.files
      .orderBy('usedAt')
      .reverse()
      .each(({ id, keep, bytes }) => {
        if (keep === 'unsent') return;
        total += bytes;
        if (total > maxBytes) evicted.push(id);
      });
    await deleteFiles(db, db.files.where('id').anyOf(evicted));
  });
}
