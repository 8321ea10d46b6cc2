/**
 * Transactions and the browser's back/forward cache. WebKit keeps the open transactions of a page that enters the
 * cache, and those of later pages wait for them. So a page aborts its transactions when it enters the cache, and starts
 * none before it is shown again. `retryAfterReturn` then repeats the writes.
 */
const openTransactions = new Set<IDBTransaction>();
/** The page in the cache. It belongs to no member: the cache has whole pages. */
const page = {
  /** The number of times that this page has entered the cache. */
  entries: 0,
  /** Resolves when the page is shown again; null while it is not in the cache. */
  returned: null as Promise<void> | null,
  markReturned: (): void => undefined,
  evictionChannel: undefined as BroadcastChannel | undefined,
};

/**
 * Chromium keeps a page that enters the cache while it creates the database, and the next page's request to open it
 * waits until that page is evicted. A message on a channel to which it listens evicts it.
 */
const EVICTION_CHANNEL = 'hw-evict-cached-pages';
/** How long a request waits before it evicts cached pages: opening a database takes much less. */
const EVICT_AFTER_MS = 500;

function evictCachedPagesIfPending(request: IDBOpenDBRequest): void {
  page.evictionChannel ??= listenForEviction();
  const timer = setTimeout(() => page.evictionChannel?.postMessage(null), EVICT_AFTER_MS);
  for (const event of ['upgradeneeded', 'success', 'error', 'blocked'])
    request.addEventListener(event, () => clearTimeout(timer), { once: true });
}

function listenForEviction(): BroadcastChannel {
  const channel = new BroadcastChannel(EVICTION_CHANNEL);
  // Without a listener the browser delivers no message. A page that is not in the cache ignores it.
  channel.onmessage = () => undefined;
  return channel;
}

/** `indexedDB` for pages, with transactions that `enterCache` aborts. */
export const pageIndexedDb = {
  open(name: string, version?: number): IDBOpenDBRequest {
    if (page.returned) throw new DOMException('The page is in the back/forward cache', 'InvalidStateError');
    const before = page.entries;
    const request = indexedDB.open(name, version);
    evictCachedPagesIfPending(request);
    request.addEventListener('upgradeneeded', () => request.transaction && track(request.transaction));
    request.addEventListener('success', (event) => {
      if (page.entries === before) return trackAll(request.result);
      // The page has entered the cache meanwhile, and the caller's attempt has failed.
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
  const ended = () => openTransactions.delete(transaction);
  openTransactions.add(transaction);
  transaction.addEventListener('complete', ended);
  transaction.addEventListener('abort', ended);
  return transaction;
}

/** Aborts every transaction when the page enters the cache; none can be started before `leaveCache`. */
export function enterCache(): void {
  page.entries += 1;
  page.returned ??= new Promise((resolve) => {
    page.markReturned = resolve;
  });
  for (const transaction of openTransactions) {
    try {
      transaction.abort();
    } catch {
      // The transaction is committing, which does not need the page.
    }
  }
  openTransactions.clear();
}

export function leaveCache(): void {
  page.returned = null;
  page.markReturned();
}

/** Returns the number of times that this page has entered the cache. Each time it loses its locks. */
export const cacheEntries = () => page.entries;

/** Runs work that writes to the database. If it fails because the page entered the cache, repeats it on return. */
export async function retryAfterReturn<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    const before = page.entries;
    try {
      return await work();
    } catch (error) {
      if (page.entries === before) throw error;
      await page.returned;
    }
  }
}
