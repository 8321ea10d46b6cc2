/**
 * Text and pictures shared from another app, until the member picks a conversation. The worker stores them and the page
 * reads them, from one table of a database that is never migrated. Signing out deletes it (wipe.ts).
 */
import { pageIndexedDb, retryAfterReturn } from '../store/pageCache.ts';

export const SHARED_DB = 'hw-shared';

/** The path to which the browser posts a share (manifest.config.ts), and the path of the screen for it. */
export const SHARE_PATH = '/share';

export type Shared = {
  text: string;
  pictures: File[];
  /** The number of pictures that were not stored, because a message has a maximum. */
  omitted: number;
  /** The id of the member who was signed in, or null. */
  member: string | null;
  at: number;
};

/** Leaves enough time to sign in. */
const MAX_AGE_MS = 60 * 60_000;

const TABLE = 'shared';
const KEY = 'newest';

/** Stores a share in place of the earlier one. */
export const storeShared = (shared: Shared): Promise<unknown> =>
  withTable('readwrite', (table) => table.put(shared, KEY));

export const deleteShared = (): Promise<unknown> => withTable('readwrite', (table) => table.delete(KEY));

/** Returns the share of this member from the last hour, or null. Deletes any other share. */
export async function readShared(member: string, now = Date.now()): Promise<Shared | null> {
  const found = (await withTable('readonly', (table) => table.get(KEY))) as Shared | undefined;
  if (!found) return null;
  const age = now - found.at;
  if (age >= 0 && age < MAX_AGE_MS && (found.member ?? member) === member) return found;
  await deleteShared();
  return null;
}

const withTable = (mode: IDBTransactionMode, work: (table: IDBObjectStore) => IDBRequest) =>
  retryAfterReturn(() => transact(mode, work));

async function transact(
  mode: IDBTransactionMode,
  work: (table: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  const db = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = db.transaction(TABLE, mode);
      const request = work(transaction.objectStore(TABLE));
      // Resolved by the transaction, not by the request: a full device fails the commit.
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = transaction.onerror = () => reject(transaction.error);
    });
  } finally {
    db.close();
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = pageIndexedDb.open(SHARED_DB, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(TABLE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
