/**
 * Push: every one shows a notification (Safari takes the permission away after
 * a few silent ones), also when the payload cannot be read or is for a member
 * who is not signed in here.
 */
import { readDeviceMember } from '../src/offline/device/marker.ts';
import { NAVIGATION_DENYLIST } from './denylist.ts';
import { type MemberDb, withMember } from './idb.ts';

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
  const { badge } = shown;
  if (badge !== null) await setBadge(badge);
  if (badge !== null) await withMember((db) => noteBadge(db, badge));
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
  const member = await readDeviceMember();
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

/**
 * The path of an address that the server sent. Its origin may be another than the one in use (www, a LAN address),
 * so only the path counts; one that is not the app's leads to the start.
 */
export function localPath(navigate: string | undefined, origin: string = self.location.origin): string {
  try {
    const { protocol, pathname, search } = new URL(navigate ?? '/', origin);
    return /^https?:$/.test(protocol) && isApp(pathname) ? pathname + search : '/';
  } catch {
    return '/';
  }
}

/** False for what the server answers itself, such as /docs. */
const isApp = (path: string) =>
  !path.startsWith('//') && !NAVIGATION_DENYLIST.some((owned) => owned.test(path));

type BadgeNavigator = WorkerNavigator & {
  setAppBadge?: (count: number) => Promise<void>;
};

const setBadge = (count: number) =>
  (self.navigator as BadgeNavigator).setAppBadge?.(count).catch(() => undefined);

/** Remembers the icon's count for when one conversation of it is marked as read. */
const noteBadge = (db: MemberDb, count: number) =>
  unlessFull(
    db.transact(['meta'], async (tx) => {
      await tx.put('meta', { key: 'push:badge', value: count });
      return count;
    }),
  );

/** One conversation less has something new. */
export async function lowerBadge(db: MemberDb): Promise<void> {
  const lowered = await unlessFull(
    db.transact(['meta'], async (tx) => {
      const count = Math.max(0, Number((await tx.get('meta', 'push:badge'))?.value ?? 0) - 1);
      await tx.put('meta', { key: 'push:badge', value: count });
      return count;
    }),
  );
  await setBadge(lowered ?? 0);
}

/** The device is full or the app upgrades: a count, or where a notification leads, is not worth failing for. */
const unlessFull = <T>(work: Promise<T>): Promise<T | undefined> => work.catch(() => undefined);

/**
 * Brings a window to the front first and then tells it where to go; opens one when there is none. An app that
 * starts slowly, or was asleep, finds the way noted down.
 */
export async function openFromNotification(path: string, db?: MemberDb): Promise<void> {
  const note = (open: MemberDb) =>
    unlessFull(
      open.transact(['meta'], (tx) =>
        tx.put('meta', { key: 'push:navigate', value: { path, at: Date.now() } }),
      ),
    );
  await (db ? note(db) : withMember(note));
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const found = windows.find(({ url }) => isApp(new URL(url).pathname));
  if (!found) {
    await self.clients.openWindow(path);
    return;
  }
  // Some browsers refuse to focus; the window still learns where to go.
  const focused = await found.focus().catch(() => found);
  focused.postMessage({ type: 'NAVIGATE', path });
}
