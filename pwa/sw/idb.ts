/**
 * IndexedDB for the worker, with the interface that the shared code expects. It opens the page's database in its current
 * version and never creates a table, because the page alone owns the schema. Dexie would add 30 kB.
 */
import { readDeviceMember } from '../src/offline/device/marker.ts';
import { dbName } from '../src/offline/store/rows.ts';
import type { RowKey, TableName, Transact, Tx } from '../src/offline/store/tx.ts';

/** The signed-in member's database, open while one event is handled. */
export type MemberDb = { memberId: string; transact: Transact };

/**
 * Runs work on the database of the member who is signed in on this device. Returns undefined if there is none, if the
 * device is locked, and if the database cannot be opened.
 */
export async function withMember<T>(work: (db: MemberDb) => Promise<T>): Promise<T | undefined> {
  const memberId = await readDeviceMember();
  const db = memberId && (await openExisting(memberId));
  if (!db) return undefined;
  try {
    return await work({ memberId, transact: db.transact });
  } finally {
    db.close();
  }
}

/** The tables that the worker may use. */
const TABLES: Record<TableName, true> = {
  outbox: true,
  files: true,
  blobs: true,
  conversations: true,
  threads: true,
  messages: true,
  meta: true,
  posts: true,
  profileFiles: true,
  me: true,
};

/** Opens the member's database; null if it does not exist or is not ready. */
export async function openExisting(
  memberId: string,
): Promise<{ transact: Transact; close: () => void } | null> {
  const db = await new Promise<IDBDatabase | null>((resolve) => {
    const request = indexedDB.open(dbName(memberId));
    // It does not exist: abort the creation of an empty one.
    request.onupgradeneeded = () => request.transaction?.abort();
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve(null);
  });
  if (!db) return null;
  // No page has opened it since an update of the app, whose tables it lacks: what waits is sent when one does.
  if (!Object.keys(TABLES).every((table) => db.objectStoreNames.contains(table))) {
    db.close();
    return null;
  }
  // The page signs out or upgrades the database: close it at once.
  db.onversionchange = () => db.close();
  return { transact: transactOn(db), close: () => db.close() };
}

const transactOn =
  (db: IDBDatabase): Transact =>
  async (tables, work) => {
    const transaction = db.transaction(tables, 'readwrite');
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = transaction.onerror = () => reject(transaction.error);
    });
    const result = await work(txOn(transaction)).catch(async (error: unknown) => {
      done.catch(() => undefined);
      transaction.abort();
      throw error;
    });
    await done;
    return result;
  };

function txOn(transaction: IDBTransaction): Tx {
  const store = (table: TableName) => transaction.objectStore(table);
  return {
    get: (table, key: RowKey) => resultOf(store(table).get(key)),
    put: async (table, row) => {
      await resultOf(store(table).put(row));
    },
    delete: (table, key) => resultOf(store(table).delete(key)),
    all: (table) => resultOf(store(table).getAll()),
  };
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
