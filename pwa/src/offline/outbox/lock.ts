/** The tag of the service worker's Background Sync. */
export const SYNC_TAG = 'hw-outbox';

/** Page and worker, or two tabs, never send at once: one short Web Lock per member. */
const lockName = (memberId: string) => `hw-outbox-${memberId}`;

/** Runs work under the lock, or answers 'busy' at once when somebody else holds it. */
export function withOutboxLock<T>(memberId: string, work: () => Promise<T>): Promise<T | 'busy'> {
  // Only secure contexts have locks; elsewhere the server's own dedupe is enough.
  if (!navigator.locks) return work();
  return navigator.locks.request(lockName(memberId), { ifAvailable: true }, async (lock) =>
    lock ? work() : 'busy',
  );
}

/** Runs work under the lock as soon as it is free: a tab that dies while it sends gives it up. */
export function underOutboxLock<T>(memberId: string, work: () => Promise<T>): Promise<T> {
  if (!navigator.locks) return work();
  return navigator.locks.request(lockName(memberId), () => work());
}

/** Tells whoever holds the lock that a row was added. */
export function nudgeHolder(memberId: string): void {
  const channel = new BroadcastChannel(lockName(memberId));
  channel.postMessage('row added');
  channel.close();
}

export function onNudge(memberId: string, listener: () => void): () => void {
  const channel = new BroadcastChannel(lockName(memberId));
  channel.onmessage = listener;
  return () => channel.close();
}
