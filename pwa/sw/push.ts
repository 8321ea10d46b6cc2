/**
 * Pushes. Each one shows a notification, because Safari revokes the permission after a few silent ones. If the payload
 * cannot be read, or is for a member who is not signed in here, the notification is generic.
 */
import { readDeviceMember } from '../src/offline/device/marker.ts';
import { closeNotifications } from '../src/offline/device/shownNotifications.ts';
import { NAVIGATION_DENYLIST } from './denylist.ts';
import { type MemberDb, withMember } from './idb.ts';

declare const self: ServiceWorkerGlobalScope;

/** Declarative Web Push, which Safari shows by itself, with fields of our own. */
type Payload = {
  web_push?: number;
  member?: string;
  app_badge?: number | string;
  vibrate?: boolean;
  conversation?: Conversation;
  /** Conversations that were read on any device, up to a message. */
  read?: ReadUpTo[];
  notification?: {
    title?: string;
    body?: string;
    navigate?: string;
    tag?: string;
    silent?: boolean;
    app_badge?: number | string;
  };
};

type ReadUpTo = { id: string; seq: number };

/** The conversation of a notification, which can be answered and marked as read. */
export type Conversation = { id: string; peerId: string; seq: number };

/** The data of a notification, read when it is tapped. */
export type NotificationData = { path: string; member?: string; conversation?: Conversation };

/** The content of a notification, and the count for the app's icon; `badge` is null if the push has none. */
type NotificationContent = {
  title: string;
  body: string;
  tag: string;
  badge: number | null;
  silent: boolean;
  vibrate: boolean;
  data: NotificationData;
  read: ReadUpTo[];
};

const GENERIC: NotificationContent = {
  title: 'Heartward',
  body: 'There is something new for you.',
  tag: 'heartward',
  badge: null,
  silent: false,
  vibrate: true,
  data: { path: '/' },
  read: [],
};

type Action = { action: string; title: string; type?: 'text'; placeholder?: string };

/** The action buttons, in browsers that support them. Without text input Reply opens the conversation. */
const ACTIONS: Action[] = [
  { action: 'reply', title: 'Reply', type: 'text', placeholder: 'Write back' },
  { action: 'read', title: 'Mark as read' },
];

/** Resolves when the notification of the last push is on the screen. */
let lastShown: Promise<void> = Promise.resolve();

export async function showPush(text: string | undefined): Promise<void> {
  const content = await parsePayload(text).catch(() => GENERIC);
  // One after the other: closeRead must not ask for a notification that is being shown.
  const shown = lastShown.then(async () => {
    await self.registration.showNotification(content.title, optionsOf(content));
    await closeRead(content.read);
  });
  lastShown = shown.catch(() => undefined);
  await shown;
  const { badge } = content;
  if (badge === null) return;
  // Stored first: an answered notification lowers the stored count, and sets it.
  await withMember((db) => storeBadge(db, badge));
  await setBadge(badge);
}

/** Closes the notifications of messages that were read on another device. A push must show one, so none is sent for it. */
async function closeRead(read: ReadUpTo[]): Promise<void> {
  if (read.length === 0) return;
  await closeNotifications(self.registration, (shown) =>
    read.some(({ id, seq }) => id === shown.id && seq >= shown.seq),
  );
}

function optionsOf({ body, tag, silent, vibrate, data }: NotificationContent): NotificationOptions {
  // renotify: a notification that replaces one of the same conversation alerts again.
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

/** Returns the content to show: a generic one unless the payload names the member of this device. */
async function parsePayload(text: string | undefined): Promise<NotificationContent> {
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
    read: payload.read ?? [],
  };
}

/**
 * Returns the path of an address from the server, or '/' if it is not a page of the app. The origin is ignored, because
 * it may differ from the one in use (www, a LAN address).
 */
export function localPath(navigate: string | undefined, origin: string = self.location.origin): string {
  try {
    const { protocol, pathname, search } = new URL(navigate ?? '/', origin);
    return /^https?:$/.test(protocol) && isApp(pathname) ? pathname + search : '/';
  } catch {
    return '/';
  }
}

/** Whether a path belongs to the app and not to the server, as /docs does. */
const isApp = (path: string) =>
  !path.startsWith('//') && !NAVIGATION_DENYLIST.some((pattern) => pattern.test(path));

type BadgeNavigator = WorkerNavigator & {
  setAppBadge?: (count: number) => Promise<void>;
};

const setBadge = (count: number) =>
  (self.navigator as BadgeNavigator).setAppBadge?.(count).catch(() => undefined);

/** Stores the icon's count, from which lowerBadge subtracts. */
const storeBadge = (db: MemberDb, count: number) =>
  ignoreFailure(
    db.transact(['meta'], async (tx) => {
      await tx.put('meta', { key: 'push:badge', value: count });
      return count;
    }),
  );

/** Lowers the icon's count by one conversation. */
export async function lowerBadge(db: MemberDb): Promise<void> {
  const lowered = await ignoreFailure(
    db.transact(['meta'], async (tx) => {
      const count = Math.max(0, Number((await tx.get('meta', 'push:badge'))?.value ?? 0) - 1);
      await tx.put('meta', { key: 'push:badge', value: count });
      return count;
    }),
  );
  await setBadge(lowered ?? 0);
}

/** Ignores a failed write of a count or a path, as when the device is full or the app is upgrading. */
const ignoreFailure = <T>(work: Promise<T>): Promise<T | undefined> => work.catch(() => undefined);

/**
 * Focuses a window of the app and sends it the path, or opens a new one. The path is also stored, for an app that
 * starts slowly or was suspended; not first, because Firefox opens no window later than a second after the tap.
 */
export async function openFromNotification(path: string, db?: MemberDb): Promise<void> {
  const storePath = (open: MemberDb) =>
    ignoreFailure(
      open.transact(['meta'], (tx) =>
        tx.put('meta', { key: 'push:navigate', value: { path, at: Date.now() } }),
      ),
    );
  const deletePath = (open: MemberDb) =>
    ignoreFailure(open.transact(['meta'], (tx) => tx.delete('meta', 'push:navigate')));
  const withDb = (work: (open: MemberDb) => Promise<unknown>) => (db ? work(db) : withMember(work));
  const stored = withDb(storePath);
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const found = windows.find(({ url }) => isApp(new URL(url).pathname));
  if (!found) {
    const opened = await self.clients.openWindow(path);
    await stored;
    // The new window shows the path, and need not open it again.
    if (opened) await withDb(deletePath);
    return;
  }
  // Some browsers refuse to focus the window; it still gets the path.
  const focused = await found.focus().catch(() => found);
  // The window deletes the stored path when it gets the message.
  await stored;
  focused.postMessage({ type: 'NAVIGATE', path });
}
