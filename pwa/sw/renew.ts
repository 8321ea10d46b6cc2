/** Handles a push subscription that the browser has removed or replaced while the app is closed. */

import { request } from '../src/api/request.ts';
import { readDeviceMember } from '../src/offline/device/marker.ts';

declare const self: ServiceWorkerGlobalScope;

export type SubscriptionChange = ExtendableEvent & {
  oldSubscription?: PushSubscription | null;
  newSubscription?: PushSubscription | null;
};

/** Sends the new subscription to the server, for the member who is signed in here. */
export async function renewSubscription(event: SubscriptionChange): Promise<void> {
  const memberId = await readDeviceMember();
  if (!memberId) return;
  const key = event.oldSubscription?.options.applicationServerKey;
  const renewed = event.newSubscription ?? (key ? await subscribe(key) : null);
  const { endpoint, keys } = renewed?.toJSON() ?? {};
  if (!endpoint || !keys?.p256dh || !keys.auth) return;
  await request('/api/push/subscriptions', {
    method: 'POST',
    body: { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } },
    memberId,
  });
}

const subscribe = (applicationServerKey: ArrayBuffer) =>
  self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
