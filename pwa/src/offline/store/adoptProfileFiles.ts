import { type HeartwardDb, rereadTables } from './db.ts';
import { type ProfileUploadRow, rowsOfProfileUploads } from './profileUploads.ts';
import type { OutboxRow } from './rows.ts';

/** The table that version 7 has deleted. */
const OLD_TABLE = 'profileUploads';

const read = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const completion = (tx: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    tx.oncomplete = () => resolve();
    tx.onabort = () => reject(tx.error);
  });

/**
 * Moves to the outbox what an older version of the app has stored unsent, as when a server went back to it for a while:
 * that version opens the newer database, and creates its table in it again, without an upgrade later. Then deletes the
 * bytes that no row names. In one transaction, and without Dexie, which does not know the table.
 */
export async function adoptProfileFiles(db: HeartwardDb): Promise<void> {
  const native = db.backendDB();
  const tables = ['outbox', 'profileFiles', OLD_TABLE].filter((name) =>
    native.objectStoreNames.contains(name),
  );
  const tx = native.transaction(tables, 'readwrite');
  const completed = completion(tx);
  // Handled below, unless a read fails first.
  completed.catch(() => undefined);
  const rows: OutboxRow[] = await read(tx.objectStore('outbox').getAll());
  const adopted = tables.includes(OLD_TABLE) ? await moveUploads(db.memberId, tx, rows) : [];
  const named = new Set(
    [...rows, ...adopted].flatMap(({ body }) => (body.kind === 'profileFile' ? body.blobId : [])),
  );
  const bytes = tx.objectStore('profileFiles');
  for (const id of await read(bytes.getAllKeys())) if (!named.has(String(id))) bytes.delete(id);
  await completed;
  if (adopted.length > 0) rereadTables(db, ['outbox']);
}

/** Moves the rows of the old table behind those of the outbox. Returns the new rows. */
async function moveUploads(
  memberId: string,
  tx: IDBTransaction,
  rows: readonly OutboxRow[],
): Promise<OutboxRow[]> {
  const uploads: ProfileUploadRow[] = await read(tx.objectStore(OLD_TABLE).getAll());
  const stored = new Set(rows.map(({ clientId }) => clientId));
  const lastSeq = Math.max(0, ...rows.map(({ localSeq }) => localSeq));
  const adopted = rowsOfProfileUploads(
    uploads.filter(({ id }) => !stored.has(id)),
    memberId,
    lastSeq,
  );
  for (const row of adopted) tx.objectStore('outbox').add(row);
  tx.objectStore(OLD_TABLE).clear();
  return adopted;
}
