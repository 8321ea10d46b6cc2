/**
 * Push: every one shows a notification (Safari takes the permission away after
 * a few silent ones), also when the payload cannot be read or is for a member
 * who is not signed in here.
 */
import { memberOnDevice } from './idb.ts';

declare const self: ServiceWorkerGlobalScope;

/** The declarative form, which Safari shows by itself; `member` is our addition. */
type Payload = {
  web_push?: number;
  member?: string;
  app_badge?: number | string;
  notification?: {
    title?: string;
    body?: string;
    navigate?: string;
    tag?: string;
    app_badge?: number | string;
  };
};

type Shown = { title: string; body: string; path: string; tag: string; badge: number | null };

const GENERIC: Shown = {
  title: 'Heartward',
  body: 'There is something new for you.',
  path: '/',
  tag: 'heartward',
  badge: null,
};

export async function showPush(text: string | undefined): Promise<void> {
  const shown = await read(text).catch(() => GENERIC);
  // renotify: a second message of the same conversation replaces the first, and is heard too.
  const options: NotificationOptions & { renotify: boolean; vibrate: number[] } = {
    body: shown.body,
    tag: shown.tag,
    renotify: true,
    requireInteraction: true,
    vibrate: [200, 100, 200],
    icon: '/icons/icon-192.png',
    badge: '/icons/monochrome-512.png',
    data: { path: shown.path },
  };
  await self.registration.showNotification(shown.title, options);
  if (shown.badge !== null) await setBadge(shown.badge);
}

/** What to show: nothing of the payload unless it names the member of this device. */
async function read(text: string | undefined): Promise<Shown> {
  const payload: Payload = text ? JSON.parse(text) : {};
  const { notification } = payload;
  const member = await memberOnDevice();
  if (!notification?.title || !member || payload.member !== member) return GENERIC;
  const badge = Number(notification.app_badge ?? payload.app_badge ?? Number.NaN);
  return {
    title: notification.title,
    body: notification.body ?? '',
    path: localPath(notification.navigate),
    tag: notification.tag ?? GENERIC.tag,
    badge: Number.isInteger(badge) && badge >= 0 ? badge : null,
  };
}

/** A path of this app; anything else leads to the start. */
export function localPath(navigate: string | undefined, origin: string = self.location.origin): string {
  try {
    const url = new URL(navigate ?? '/', origin);
    return url.origin === origin ? url.pathname + url.search : '/';
  } catch {
    return '/';
  }
}

async function setBadge(count: number): Promise<void> {
  const device = self.navigator as WorkerNavigator & { setAppBadge?: (count: number) => Promise<void> };
  await device.setAppBadge?.(count).catch(() => undefined);
}

/** Brings a window to the front first and then tells it where to go; opens one when there is none. */
export async function openFromNotification(path: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const [found] = windows;
  if (!found) {
    await self.clients.openWindow(path);
    return;
  }
  // Some browsers refuse to focus; the window still learns where to go.
  const focused = await found.focus().catch(() => found);
  focused.postMessage({ type: 'NAVIGATE', path });
}
