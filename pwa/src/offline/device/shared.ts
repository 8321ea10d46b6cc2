/**
 * What another app shared with this one, until the member says for whom it is. The worker puts it here and the page
 * takes it out; both open the same one table, of which nothing has ever to be migrated. It goes with everything
 * else of the member when they sign out (wipe.ts).
 */
import { pageIndexedDb, retryAfterReturn } from '../store/pageCache.ts';

export const SHARED_DB = 'hw-shared';

/** The address to which the browser posts what is shared (manifest.config.ts), and of the screen that follows. */
export const SHARE_PATH = '/share';

export type Shared = {
  text: string;
  pictures: File[];
  /** How many pictures there were beside these: a message has room for so many only. */
  left: number;
  /** Who was signed in; null for no member. */
  member: string | null;
  at: number;
};

/** Long enough to sign in; what was left is not found again days later. */
const KEEP_MS = 60 * 60_000;

const TABLE = 'shared';
const KEY = 'newest';

/** Keeps what was shared, in place of what was shared before. */
export const storeShared = (shared: Shared): Promise<unknown> =>
  withTable('readwrite', (table) => table.put(shared, KEY));

export const dropShared = (): Promise<unknown> => withTable('readwrite', (table) => table.delete(KEY));

/** Returns what was shared for this member within the last hour; deletes what another member shared, or earlier. */
export async function readShared(member: string, now = Date.now()): Promise<Shared | null> {
  const found = (await withTable('readonly', (table) => table.get(KEY))) as Shared | undefined;
  if (!found) return null;
  const age = now - found.at;
  if (age >= 0 && age < KEEP_MS && (found.member ?? member) === member) return found;
  await dropShared();
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
      // Stored only once the transaction is through: a full device shows itself then.
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
