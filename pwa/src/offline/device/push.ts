/** The device's push subscription. Light: imported by the sign-out path too. */
import { storageKeys } from '@/session/storage.ts';
import { api, unwrap } from '../../api/client.ts';
import type { PushCategory } from '../../api/types.ts';

/** What the member chose for this device; null for all that they want. */
export function chosenCategories(): PushCategory[] | null {
  const kept = localStorage.getItem(storageKeys.pushCategories);
  return kept === null ? null : kept.split(',').filter((one): one is PushCategory => one !== '');
}

/** Tells the server first: a choice it does not know would not be one. */
export async function chooseCategories(categories: PushCategory[] | null): Promise<void> {
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

/** Asks the browser and stores the subscription. Call from a tap only. */
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

async function store(made: PushSubscription): Promise<void> {
  const { endpoint, keys } = made.toJSON();
  if (!endpoint || !keys?.p256dh || !keys.auth) return;
  const body = { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } };
  await unwrap(api.POST('/api/push/subscriptions', { body }));
  // A renewed address is a new device to the server.
  const categories = chosenCategories();
  if (categories) await unwrap(api.PUT('/api/push/subscriptions', { body: { endpoint, categories } }));
}

/**
 * At every start: a browser may have renewed the endpoint, or the server may
 * have lost it or changed its key. Does nothing unless this device subscribed before.
 */
export async function repairPushSubscription(): Promise<void> {
  if (!pushSupported() || Notification.permission !== 'granted' || !(await subscription())) return;
  await store(await subscribe());
}

/** Ends the subscription at the server (best effort, needs the session) and in the browser. */
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

function sameKey(made: PushSubscription, publicKey: string): boolean {
  const key = made.options.applicationServerKey;
  if (!key) return false;
  const text = btoa(String.fromCharCode(...new Uint8Array(key)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === publicKey.replaceAll('=', '');
}
