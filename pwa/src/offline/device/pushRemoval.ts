/** The end of the device's push subscription. Apart from push.ts, because the start imports it for the sign-out. */
import { api } from '../../api/client.ts';

export async function subscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker?.getRegistration();
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

/** Removes the subscription on the server (best effort, needs the session) and in the browser. */
export async function removePushSubscription({ atServer = true } = {}): Promise<void> {
  const existing = await subscription().catch(() => null);
  if (!existing) return;
  if (atServer) {
    await api
      .DELETE('/api/push/subscriptions', { body: { endpoint: existing.endpoint } })
      .catch(() => undefined);
  }
  await existing.unsubscribe().catch(() => undefined);
}
