/**
 * IndexedDB for the worker, in the shape the shared code expects. It opens the
 * page's database as it is, never names a version and never creates a table:
 * two owners of one schema have corrupted apps before. Dexie would be 30 kB here.
 */
import { readDeviceMember } from '../src/offline/device/marker.ts';
import { dbName, type RowKey, type TableName, type Transact, type Tx } from '../src/offline/store/rows.ts';

/** The signed-in member's database, open for as long as one event is handled. */
export type MemberDb = { memberId: string; transact: Transact };

/**
 * Runs work on the database of the member who is signed in on this device. Undefined when nobody is, when the device
 * is locked, and when the database cannot be opened.
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

/** Opens the member's database; null when it is not there (or not ready). */
export async function openExisting(
  memberId: string,
): Promise<{ transact: Transact; close: () => void } | null> {
  const db = await new Promise<IDBDatabase | null>((resolve) => {
    const request = indexedDB.open(dbName(memberId));
    // It does not exist: take back the empty one that open() is about to make.
    request.onupgradeneeded = () => request.transaction?.abort();
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve(null);
  });
  if (!db) return null;
  // The page signs out or upgrades: let go at once.
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
    get: (table, key: RowKey) => settled(store(table).get(key)),
    put: async (table, row) => {
      await settled(store(table).put(row));
    },
    delete: (table, key) => settled(store(table).delete(key)),
    all: (table) => settled(store(table).getAll()),
  };
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
