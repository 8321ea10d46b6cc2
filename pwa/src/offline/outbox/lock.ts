import type { Settled } from './drain.ts';

/** The tag of the service worker's Background Sync. */
export const SYNC_TAG = 'hw-outbox';

/** The Web Lock of the one tab or worker that sends an outbox. The scope is the member's id, or a page's alone (db.ts). */
const lockName = (scope: string) => `hw-outbox-${scope}`;

/** Runs work under the lock, or resolves with 'busy' at once when another tab or the worker holds it. */
export function withOutboxLock<T>(scope: string, work: () => Promise<T>): Promise<T | 'busy'> {
  // Only secure contexts have locks. In others the server ignores a message sent twice.
  if (!navigator.locks) return work();
  return navigator.locks.request(lockName(scope), { ifAvailable: true }, async (lock) =>
    lock ? work() : 'busy',
  );
}

/** Runs work under the lock as soon as it is free. A tab that closes while it sends releases it. */
export function waitForOutboxLock<T>(scope: string, work: () => Promise<T>): Promise<T> {
  if (!navigator.locks) return work();
  return navigator.locks.request(lockName(scope), () => work());
}

/** The messages between the tabs of a member about the outbox. */
export type TabMessage =
  /** To the tab that sends: a row was added. */
  | { kind: 'kick'; eager: boolean }
  /** To the other tabs: the results of rows. */
  | { kind: 'settled'; results: Settled[] }
  /** To the other tabs: the member has left a row out. */
  | { kind: 'dropped'; clientId: string };

/** Identifies this tab's own messages: another BroadcastChannel of the same tab receives them too. */
const thisTab = String(Math.random());

/** Sends a message to the other tabs; `from` is the sending tab. */
export function postToTabs(scope: string, message: TabMessage, from = thisTab): void {
  const channel = new BroadcastChannel(lockName(scope));
  channel.postMessage({ ...message, from });
  channel.close();
}

/** Calls the listener with each message of another tab. Returns a function that removes it. */
export function onTabMessage(scope: string, listener: (message: TabMessage) => void): () => void {
  const channel = new BroadcastChannel(lockName(scope));
  channel.onmessage = ({ data }) => data.from !== thisTab && listener(data);
  return () => channel.close();
}
