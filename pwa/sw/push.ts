/**
 * Push: every one shows a notification (Safari takes the permission away after
 * a few silent ones), also when the payload cannot be read or is for a member
 * who is not signed in here.
 */
import { BADGE_KEY, NAVIGATE_KEY } from '../src/offline/names.ts';
import type { Tx } from '../src/offline/rows.ts';
import { memberOnDevice, openExisting } from './idb.ts';

declare const self: ServiceWorkerGlobalScope;

/** The declarative form, which Safari shows by itself; the rest is our addition. */
type Payload = {
  web_push?: number;
  member?: string;
  app_badge?: number | string;
  vibrate?: boolean;
  conversation?: Conversation;
  notification?: {
    title?: string;
    body?: string;
    navigate?: string;
    tag?: string;
    silent?: boolean;
    app_badge?: number | string;
  };
};

/** What can be answered and marked as read. */
export type Conversation = { id: string; peerId: string; seq: number };

/** What a notification carries for the one who taps it. */
export type NoticeData = { path: string; member?: string; conversation?: Conversation };

type Shown = {
  title: string;
  body: string;
  tag: string;
  badge: number | null;
  silent: boolean;
  vibrate: boolean;
  data: NoticeData;
};

const GENERIC: Shown = {
  title: 'Heartward',
  body: 'There is something new for you.',
  tag: 'heartward',
  badge: null,
  silent: false,
  vibrate: true,
  data: { path: '/' },
};

type Action = { action: string; title: string; type?: 'text'; placeholder?: string };

/** Shown where the browser has them; a text may be written where it takes one, else Reply opens the conversation. */
const ACTIONS: Action[] = [
  { action: 'reply', title: 'Reply', type: 'text', placeholder: 'Write back' },
  { action: 'read', title: 'Mark as read' },
];

export async function showPush(text: string | undefined): Promise<void> {
  const shown = await read(text).catch(() => GENERIC);
  await self.registration.showNotification(shown.title, optionsOf(shown));
  if (shown.badge !== null) await keepBadge(shown.badge);
}

function optionsOf({ body, tag, silent, vibrate, data }: Shown): NotificationOptions {
  // renotify: a second message of the same conversation replaces the first, and is heard too.
  const options: NotificationOptions & { renotify: boolean; vibrate?: number[]; actions: Action[] } = {
    body,
    tag,
    renotify: true,
    requireInteraction: true,
    silent,
    icon: '/icons/icon-192.png',
    badge: '/icons/monochrome-512.png',
    actions: data.conversation ? ACTIONS : [],
    data,
  };
  // Browsers refuse a notification that is silent and vibrates.
  if (vibrate && !silent) options.vibrate = [200, 100, 200];
  return options;
}

/** What to show: nothing of the payload unless it names the member of this device. */
async function read(text: string | undefined): Promise<Shown> {
  const payload: Payload = text ? JSON.parse(text) : {};
  const { notification, conversation } = payload;
  const member = await memberOnDevice();
  if (!notification?.title || !member || payload.member !== member) return GENERIC;
  const badge = Number(notification.app_badge ?? payload.app_badge ?? Number.NaN);
  return {
    title: notification.title,
    body: notification.body ?? '',
    tag: notification.tag ?? GENERIC.tag,
    badge: Number.isInteger(badge) && badge >= 0 ? badge : null,
    silent: notification.silent ?? false,
    vibrate: payload.vibrate ?? true,
    data: { path: localPath(notification.navigate), member, ...(conversation && { conversation }) },
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

type BadgeNavigator = WorkerNavigator & {
  setAppBadge?: (count: number) => Promise<void>;
};

/** Sets the icon's count, and remembers it for when one conversation of it is marked as read. */
async function keepBadge(count: number): Promise<void> {
  await (self.navigator as BadgeNavigator).setAppBadge?.(count).catch(() => undefined);
  await withMeta(async (tx) => {
    await tx.put('meta', { key: BADGE_KEY, value: count });
  });
}

/** One conversation less has something new. */
export async function lowerBadge(): Promise<void> {
  const count = await withMeta(async (tx) => Number((await tx.get('meta', BADGE_KEY))?.value ?? 0));
  await keepBadge(Math.max(0, (count ?? 0) - 1));
}

async function withMeta<T>(work: (tx: Tx) => Promise<T>): Promise<T | undefined> {
  const member = await memberOnDevice();
  const db = member && (await openExisting(member));
  if (!db) return undefined;
  try {
    return await db.transact(['meta'], work);
  } catch {
    return undefined; // The device is full or the app upgrades: the count can wait.
  } finally {
    db.close();
  }
}

/**
 * Brings a window to the front first and then tells it where to go; opens one when there is none. An app that
 * starts slowly, or was asleep, finds the way noted down.
 */
export async function openFromNotification(path: string): Promise<void> {
  await withMeta(async (tx) => {
    await tx.put('meta', { key: NAVIGATE_KEY, value: { path, at: Date.now() } });
  });
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
