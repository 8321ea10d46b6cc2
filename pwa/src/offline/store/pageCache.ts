/**
 * The browser's back/forward cache. WebKit keeps the open transactions of a page that enters it, and the
 * transactions of every later page wait for them. So this page aborts its transactions when it enters the cache
 * and starts none before it is shown again. An aborted transaction has stored nothing: what it was to store is
 * written again on return (`retryAfterReturn`).
 */
const live = new Set<IDBTransaction>();
/** How often this page has entered the cache. */
let entries = 0;
let returned: Promise<void> | null = null;
let markReturned: () => void = () => undefined;

/** `indexedDB` for pages: its transactions can be aborted together. */
export const pageIndexedDb = {
  open(name: string, version?: number): IDBOpenDBRequest {
    if (returned) throw new DOMException('The page is in the back/forward cache', 'InvalidStateError');
    const before = entries;
    const request = indexedDB.open(name, version);
    request.addEventListener('upgradeneeded', () => request.transaction && track(request.transaction));
    request.addEventListener('success', (event) => {
      if (entries === before) return trackAll(request.result);
      // The caller gave up when the page entered the cache.
      event.stopImmediatePropagation();
      request.result.close();
    });
    return request;
  },
  deleteDatabase: (name: string) => indexedDB.deleteDatabase(name),
  databases: () => indexedDB.databases(),
};

function trackAll(db: IDBDatabase): void {
  const start = db.transaction.bind(db);
  db.transaction = (...args) => track(start(...args));
}

function track(transaction: IDBTransaction): IDBTransaction {
  const ended = () => live.delete(transaction);
  live.add(transaction);
  transaction.addEventListener('complete', ended);
  transaction.addEventListener('abort', ended);
  return transaction;
}

/** The page enters the cache: aborts every transaction; none is started before `leaveCache`. */
export function enterCache(): void {
  entries += 1;
  returned ??= new Promise((resolve) => {
    markReturned = resolve;
  });
  for (const transaction of live) {
    try {
      transaction.abort();
    } catch {
      // It commits already, for which it does not need the page.
    }
  }
  live.clear();
}

export function leaveCache(): void {
  returned = null;
  markReturned();
}

/** How often this page has entered the cache: work that began before an entry has lost its locks since. */
export const cacheEntries = () => entries;

/** Runs work that stores something; when it fails because the page entered the cache, again once the page is back. */
export async function retryAfterReturn<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    const before = entries;
    try {
      return await work();
    } catch (error) {
      if (entries === before) throw error;
      await returned;
    }
  }
}
