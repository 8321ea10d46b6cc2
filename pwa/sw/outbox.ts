/** Drains the outbox in the service worker, with the page's code and under the same lock. */

import { request } from '../src/api/request.ts';
import { type DrainResult, drain, type Settled } from '../src/offline/outbox/drain.ts';
import { waitForOutboxLock } from '../src/offline/outbox/lock.ts';
import { type MemberDb, withMember } from './idb.ts';

declare const self: ServiceWorkerGlobalScope;

/**
 * Drains the outbox once, after a tab that holds its lock. Throws if rows wait for a retry, so that the browser repeats
 * the sync event.
 */
export async function drainInWorker(): Promise<void> {
  await withMember(drainFor);
}

export async function drainFor(db: MemberDb): Promise<void> {
  const { memberId } = db;
  await waitForOutboxLock(memberId, async () => {
    const rows = await db.transact(['outbox'], (tx) => tx.all('outbox'));
    // Usually a page has sent everything; then no request is needed.
    if (rows.every((row) => row.state === 'failed')) return;
    // The cookie may belong to another member by now, in whose name nothing may be sent.
    const { data: me } = await request<{ id: string }>('/api/auth/user', { method: 'GET' });
    if (me.id !== memberId) return;
    const results: Settled[] = [];
    const { nextAt, unauthorized } = await drainOnce(db, results);
    await notifyPages(memberId, results);
    if (nextAt !== null && !unauthorized) throw new Error('Some rows wait for a retry');
  });
}

function drainOnce(db: MemberDb, results: Settled[]): Promise<DrainResult> {
  const env = {
    ...db,
    fetch: (input: RequestInfo | URL, init?: RequestInit) => fetch(input, init),
    now: Date.now,
    random: Math.random,
    rowAdded: () => new Promise<boolean>(() => undefined),
    isStopped: () => false,
    onSettled: (result: Settled) => void results.push(result),
  };
  return drain(env, true);
}

/** Notifies the pages, whose live queries do not observe the worker's writes. */
export async function notifyPages(memberId: string, results: Settled[]): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  for (const page of pages) page.postMessage({ type: 'hw-outbox', memberId, results });
}
