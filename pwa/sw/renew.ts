/** Handles a push subscription that the browser has removed or replaced while the app is closed. */

import { request } from '../src/api/request.ts';
import { readDeviceMember } from '../src/offline/device/marker.ts';
import { readWorkerSettings } from '../src/offline/device/workerSettings.ts';

declare const self: ServiceWorkerGlobalScope;

export type SubscriptionChange = ExtendableEvent & {
  oldSubscription?: PushSubscription | null;
  newSubscription?: PushSubscription | null;
};

/**
 * Sends the new subscription to the server, for the member who is signed in here. A subscription that was removed is made
 * again, with the server's key of today: some browsers do not name the old subscription, and the key may have changed.
 */
export async function renewSubscription(event: SubscriptionChange): Promise<void> {
  const memberId = await readDeviceMember();
  if (!memberId) return;
  const renewed = event.newSubscription ?? (await subscribe(await readKey(memberId)));
  const { endpoint, keys } = renewed.toJSON();
  if (!endpoint || !keys?.p256dh || !keys.auth) return;
  const { hidesContent, categories } = await readWorkerSettings();
  const { data: stored } = await request<{ showsContent: boolean }>('/api/push/subscriptions', {
    method: 'POST',
    body: {
      endpoint,
      keys: { p256dh: keys.p256dh, auth: keys.auth },
      showsContent: hidesContent ? false : undefined,
    },
    memberId,
  });
  if (!categories) return;
  // To the server a new endpoint is a new device, without categories.
  await request('/api/push/subscriptions', {
    method: 'PUT',
    body: { endpoint, categories, showsContent: stored.showsContent },
    memberId,
  });
}

async function readKey(memberId: string): Promise<string> {
  const { data } = await request<{ publicKey: string }>('/api/push/key', { method: 'GET', memberId });
  return data.publicKey;
}

const subscribe = (applicationServerKey: string) =>
  self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
