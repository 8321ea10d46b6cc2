/** Sending while no page does: the same drain as the page's, under the same lock. */

import { request } from '../src/api/request.ts';
import { type DrainResult, drain, type Settled } from '../src/offline/outbox/drain.ts';
import { waitForOutboxLock } from '../src/offline/outbox/lock.ts';
import { type MemberDb, withMember } from './idb.ts';

declare const self: ServiceWorkerGlobalScope;

/**
 * Drains once, after the tab that may be sending just now. Throws when something
 * still waits, so that the browser tries again later.
 */
export async function drainInWorker(): Promise<void> {
  await withMember(drainFor);
}

export async function drainFor(db: MemberDb): Promise<void> {
  const { memberId } = db;
  await waitForOutboxLock(memberId, async () => {
    const rows = await db.transact(['outbox'], (tx) => tx.all('outbox'));
    // Usually the page was quicker; then the server need not be asked anything.
    if (rows.every((row) => row.state === 'failed')) return;
    // The cookie may be another member's by now: never send one's words as the other.
    const { data: me } = await request<{ id: string }>('/api/auth/user', { method: 'GET' });
    if (me.id !== memberId) return;
    const results: Settled[] = [];
    const { nextAt, unauthorized } = await drainOnce(db, results);
    await tellPages(memberId, results);
    if (nextAt !== null && !unauthorized) throw new Error('Some messages still wait');
  });
}

function drainOnce(db: MemberDb, results: Settled[]): Promise<DrainResult> {
  const env = {
    ...db,
    fetch: (input: RequestInfo | URL, init?: RequestInit) => fetch(input, init),
    now: Date.now,
    random: Math.random,
    woken: () => new Promise<void>(() => undefined),
    stopped: () => false,
    settled: (result: Settled) => void results.push(result),
  };
  return drain(env, true);
}

/** Live queries do not see the worker's writes: the pages read again when told. */
export async function tellPages(memberId: string, results: Settled[]): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  for (const page of pages) page.postMessage({ type: 'hw-outbox', memberId, results });
}
