/** The end of the device's push subscription. Apart from push.ts, because the start imports it for the sign-out. */
import { storageKeys } from '@/base/storage.ts';
import { api } from '../../api/client.ts';
import { withLock } from './deviceLock.ts';

export async function subscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker?.getRegistration();
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

/** Runs work that changes the subscription alone in all tabs: a repair must not undo that it is turned off meanwhile. */
export const withPushLock = <T>(work: () => Promise<T>): Promise<T> => withLock('hw-push', work);

/** Removes the subscription on the server (best effort, needs the session) and in the browser. */
export const removePushSubscription = ({ atServer = true } = {}): Promise<void> =>
  withPushLock(() => remove(atServer));

async function remove(atServer: boolean): Promise<void> {
  localStorage.removeItem(storageKeys.push);
  const existing = await subscription().catch(() => null);
  if (!existing) return;
  if (atServer) {
    await api
      .DELETE('/api/push/subscriptions', { body: { endpoint: existing.endpoint } })
      .catch(() => undefined);
  }
  await existing.unsubscribe().catch(() => undefined);
}
