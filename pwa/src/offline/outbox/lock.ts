import type { Settled } from './drain.ts';

/** The tag of the service worker's Background Sync. */
export const SYNC_TAG = 'hw-outbox';

/** Page and worker, or two tabs, never send at once: one short Web Lock per member. */
const lockName = (memberId: string) => `hw-outbox-${memberId}`;

/** Runs work under the lock, or resolves with 'busy' at once when another tab or the worker holds it. */
export function withOutboxLock<T>(memberId: string, work: () => Promise<T>): Promise<T | 'busy'> {
  // Only secure contexts have locks; elsewhere the server's own dedupe is enough.
  if (!navigator.locks) return work();
  return navigator.locks.request(lockName(memberId), { ifAvailable: true }, async (lock) =>
    lock ? work() : 'busy',
  );
}

/** Runs work under the lock as soon as it is free. A tab that closes while it sends releases it. */
export function waitForOutboxLock<T>(memberId: string, work: () => Promise<T>): Promise<T> {
  if (!navigator.locks) return work();
  return navigator.locks.request(lockName(memberId), () => work());
}

/** What the tabs of a member tell each other about the outbox. */
export type TabMessage =
  /** To the tab that sends: there is something to send. */
  | { kind: 'kick'; eager: boolean }
  /** To the others: how rows ended. */
  | { kind: 'settled'; results: Settled[] };

export function tellTabs(memberId: string, message: TabMessage): void {
  const channel = new BroadcastChannel(lockName(memberId));
  channel.postMessage(message);
  channel.close();
}

export function onTabMessage(memberId: string, listener: (message: TabMessage) => void): () => void {
  const channel = new BroadcastChannel(lockName(memberId));
  channel.onmessage = ({ data }) => listener(data);
  return () => channel.close();
}
