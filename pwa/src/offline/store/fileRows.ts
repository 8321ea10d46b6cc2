/** The rows of messages' files with their bytes, which are stored and deleted in one transaction. */
import type { Collection } from 'dexie';
import type { HeartwardDb } from './db.ts';
import type { BlobRow, FileRow } from './rows.ts';

type NewFileRow = Omit<FileRow, 'blobId' | 'usedAt'> & Pick<BlobRow, 'blob' | 'poster'>;

/** Stores a file; call it in a transaction on `files` and `blobs`. */
export async function putFile(db: HeartwardDb, { blob, poster, ...file }: NewFileRow): Promise<void> {
  await db.blobs.put({ id: file.id, blob, poster });
  await db.files.put({ ...file, blobId: file.id, usedAt: Date.now() });
}

/** Deletes files with their bytes. Returns their number. */
export function deleteFiles(db: HeartwardDb, files: Collection<FileRow, string>): Promise<number> {
  return db.transaction('rw', db.files, db.blobs, async () => {
    const rows = await files.toArray();
    await db.blobs.bulkDelete(rows.map(({ blobId }) => blobId));
    await db.files.bulkDelete(rows.map(({ id }) => id));
    return rows.length;
  });
}
