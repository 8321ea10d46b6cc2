/** The device's push subscription. This module imports little, because the sign-out path imports it. */
import { storageKeys } from '@/session/storage.ts';
import { api, unwrap } from '../../api/client.ts';
import type { PushCategory } from '../../api/types.ts';

/** Returns the categories chosen for this device; null for all that the member has turned on. */
export function storedCategories(): PushCategory[] | null {
  const stored = localStorage.getItem(storageKeys.pushCategories);
  return stored === null ? null : stored.split(',').filter((one): one is PushCategory => one !== '');
}

/** Saves the categories on the server, then on the device, because the server applies them. */
export async function saveCategories(categories: PushCategory[] | null): Promise<void> {
  const endpoint = (await subscription())?.endpoint;
  if (endpoint) await unwrap(api.PUT('/api/push/subscriptions', { body: { endpoint, categories } }));
  if (categories) localStorage.setItem(storageKeys.pushCategories, categories.join(','));
  else localStorage.removeItem(storageKeys.pushCategories);
}

async function subscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker?.getRegistration();
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

export const pushSupported = () =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

export const hasPushSubscription = async () => (await subscription()) !== null;

/** Asks for the permission, subscribes and stores the subscription on the server. Call it in response to a tap only. */
export async function addPushSubscription(): Promise<'granted' | 'denied' | 'dismissed'> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'dismissed';
  await store(await subscribe());
  return 'granted';
}

async function subscribe(): Promise<PushSubscription> {
  const { publicKey } = await unwrap(api.GET('/api/push/key'));
  const registration = await navigator.serviceWorker.ready;
  const existing = await registration.pushManager.getSubscription();
  if (existing && sameKey(existing, publicKey)) return existing;
  await existing?.unsubscribe();
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
}

async function store(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  if (!endpoint || !keys?.p256dh || !keys.auth) return;
  const body = { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } };
  await unwrap(api.POST('/api/push/subscriptions', { body }));
  // To the server a new endpoint is a new device, without categories.
  const categories = storedCategories();
  if (categories) await unwrap(api.PUT('/api/push/subscriptions', { body: { endpoint, categories } }));
}

/**
 * Stores the subscription again at every start, because the browser may have renewed the endpoint, or the server may
 * have lost it or changed its key. Does nothing if this device has no subscription.
 */
export async function repairPushSubscription(): Promise<void> {
  if (!pushSupported() || Notification.permission !== 'granted' || !(await subscription())) return;
  await store(await subscribe());
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

function sameKey(subscription: PushSubscription, publicKey: string): boolean {
  const key = subscription.options.applicationServerKey;
  if (!key) return false;
  const text = btoa(String.fromCharCode(...new Uint8Array(key)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === publicKey.replaceAll('=', '');
}
