/**
 * Text and pictures shared from other apps, until the member picks a conversation. The worker stores them and the page
 * reads them, from one table of a database that is never migrated. Signing out deletes it (wipe.ts).
 *
 * Any website can post to the share target as well. So a share replaces no other one, up to a maximum, and the screen
 * names the website if the browser does.
 */
import { pageIndexedDb, retryAfterReturn } from '../store/pageCache.ts';
import { SHARED_DB } from './sharedNames.ts';

export type Shared = {
  /** Sorts by time. */
  id: string;
  text: string;
  pictures: File[];
  /** The number of pictures that were not stored, because a message has a maximum. */
  omitted: number;
  /** The host of the website that shared this; null for an app, and for a website that hides its name. */
  website: string | null;
  /** The id of the member who was signed in, or null. */
  member: string | null;
  at: number;
};

/** Leaves enough time to sign in. */
const MAX_AGE_MS = 60 * 60_000;

/** The maximum number of shares; the oldest ones above it are deleted. */
const MAX_SHARES = 5;

const TABLE = 'shared';

export const storeShared = (shared: Omit<Shared, 'id'>): Promise<unknown> =>
  withTable('readwrite', (table) => {
    const id = `${String(shared.at).padStart(15, '0')}-${crypto.randomUUID()}`;
    table.put({ ...shared, id }, id);
    const ids = table.getAllKeys();
    ids.onsuccess = () => {
      for (const old of ids.result.slice(0, -MAX_SHARES)) table.delete(old);
    };
    return ids;
  });

export const deleteShared = (id: string): Promise<unknown> =>
  withTable('readwrite', (table) => table.delete(id));

/** Returns this member's shares of the last hour, the newest first. Deletes all others. */
export async function readShared(member: string, now = Date.now()): Promise<Shared[]> {
  const stored = (await withTable('readonly', (table) => table.getAll())) as Shared[];
  const isValid = ({ at, member: owner }: Shared) =>
    now >= at && now - at < MAX_AGE_MS && (owner ?? member) === member;
  await Promise.all(stored.filter((shared) => !isValid(shared)).map(({ id }) => deleteShared(id)));
  return stored.filter(isValid).reverse();
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
