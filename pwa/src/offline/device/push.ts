/** The device's push subscription and its settings. */
import { keepsNothing, storageKeys } from '@/base/storage.ts';
import { api, unwrap } from '../../api/client.ts';
import type { PushCategory } from '../../api/types.ts';
import { subscription, withPushLock } from './pushRemoval.ts';
import { storeWorkerSettings } from './workerSettings.ts';

/** Returns the categories chosen for this device; null for all that the member has turned on. */
export function storedCategories(): PushCategory[] | null {
  const stored = localStorage.getItem(storageKeys.pushCategories);
  return stored === null ? null : stored.split(',').filter((one): one is PushCategory => one !== '');
}

/** Whether this device's notifications name people and have texts. On one that keeps nothing they never do. */
export const storedShowsContent = () =>
  localStorage.getItem(storageKeys.pushContent) !== 'off' && !keepsNothing();

type DeviceSettings = { categories: PushCategory[] | null; showsContent: boolean };

const storedSettings = (): DeviceSettings => ({
  categories: storedCategories(),
  showsContent: storedShowsContent(),
});

/** Saves changes of this device's settings on the server, then on the device, because the server applies them. */
export async function savePushSettings(changes: Partial<DeviceSettings>): Promise<void> {
  const { categories, showsContent } = { ...storedSettings(), ...changes };
  const endpoint = (await subscription())?.endpoint;
  if (endpoint) await sendSettings(endpoint, { categories, showsContent });
  if (categories) localStorage.setItem(storageKeys.pushCategories, categories.join(','));
  else localStorage.removeItem(storageKeys.pushCategories);
  await storeShowsContent(showsContent);
}

async function storeShowsContent(shows: boolean): Promise<void> {
  localStorage.setItem(storageKeys.pushContent, shows ? 'on' : 'off');
  // Without caches the worker cannot read who is signed in either, and renews nothing.
  await storeWorkerSettings({ hidesContent: !shows, categories: storedCategories() }).catch(() => undefined);
}

const sendSettings = async (endpoint: string, settings: DeviceSettings) =>
  unwrap(api.PUT('/api/push/subscriptions', { body: { endpoint, ...settings } }));

export const pushSupported = () =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

export const hasPushSubscription = async () => (await subscription()) !== null;

/**
 * Asks for the permission, subscribes and stores the subscription on the server. Call it in response to a tap only.
 * 'refused' means that the browser does not subscribe although it may: some have no push service, or none is reached.
 */
export async function addPushSubscription(): Promise<'granted' | 'denied' | 'dismissed' | 'refused'> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'dismissed';
  return withPushLock(async () => {
    const subscribed = await subscribe().catch((error) => {
      if (error instanceof DOMException) return null;
      throw error;
    });
    if (!subscribed) return 'refused';
    await store(subscribed);
    return 'granted';
  });
}

async function subscribe(): Promise<PushSubscription> {
  const { publicKey } = await unwrap(api.GET('/api/push/key'));
  // Without a registration `ready` would never settle.
  if (!(await navigator.serviceWorker.getRegistration()))
    throw new DOMException('There is no worker', 'AbortError');
  const registration = await navigator.serviceWorker.ready;
  const existing = await registration.pushManager.getSubscription();
  if (existing && sameKey(existing, publicKey)) return existing;
  await existing?.unsubscribe();
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
}

async function store(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  if (!endpoint || !keys?.p256dh || !keys.auth) return;
  // Without a choice of the member the server decides: it knows whether others have signed in on this device.
  const isChosen = keepsNothing() || localStorage.getItem(storageKeys.pushContent) !== null;
  const showsContent = isChosen ? storedShowsContent() : undefined;
  const body = { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth }, showsContent };
  const stored = await unwrap(api.POST('/api/push/subscriptions', { body }));
  await storeShowsContent(stored.showsContent);
  localStorage.setItem(storageKeys.push, '1');
  // To the server a new endpoint is a new device, without categories.
  const settings = storedSettings();
  if (settings.categories) await sendSettings(endpoint, settings);
}

/**
 * Stores the subscription again at every start, because the browser may have renewed the endpoint, or the server may
 * have lost it or changed its key. Subscribes again if the browser has lost the subscription, as when its push service
 * has forgotten the device. Does nothing if the member has not turned on notifications on this device.
 */
export const repairPushSubscription = (): Promise<void> => withPushLock(repair);

async function repair(): Promise<void> {
  if (!pushSupported() || Notification.permission !== 'granted') return;
  const isTurnedOn = localStorage.getItem(storageKeys.push) !== null || (await subscription()) !== null;
  if (!isTurnedOn) return;
  await store(await subscribe());
}

function sameKey(subscription: PushSubscription, publicKey: string): boolean {
  const key = subscription.options.applicationServerKey;
  if (!key) return false;
  const text = btoa(String.fromCharCode(...new Uint8Array(key)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === publicKey.replaceAll('=', '');
}
