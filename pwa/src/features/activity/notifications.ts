/** What happened to the member, mirrored on the device. */

import { api, unwrapPage } from '@/api/client.ts';
import type { Notification } from '@/api/types.ts';
import { formatDay } from '@/base/format.ts';
import { enqueue, NOTIFICATIONS_ROW, outboxTables } from '@/offline/outbox/outbox.ts';
import { useCached } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, type StoredNotifications, setMeta } from '@/offline/store/meta.ts';
import type { NotificationsRead } from '@/offline/store/rows.ts';
import { fetchNextPage, type Mirror, refreshMirror } from '@/offline/sync/mirror.ts';

import { NOTIFICATIONS_KEY } from './unread.ts';

export const readNotifications = async (db: HeartwardDb): Promise<StoredNotifications | null> =>
  (await getMeta(db, 'notifications')) ?? null;

type Read = Pick<NotificationsRead, 'items' | 'until'>;

const isReadBy =
  ({ items, until }: Read) =>
  ({ id, at }: Notification) =>
    (until !== null && at <= until) || items.some((item) => item.id === id && at <= item.at);

/** Returns the items with what was read on this device and is not sent yet. */
async function withPending(db: HeartwardDb, items: Notification[]): Promise<Notification[]> {
  const body = (await db.outbox.get(NOTIFICATIONS_ROW))?.body;
  if (body?.kind !== 'notificationsRead') return items;
  const isRead = isReadBy(body);
  return items.map((item) => (isRead(item) ? { ...item, isRead: true } : item));
}

const mirror: Mirror<Notification> = {
  fetch: (_, cursor, signal) =>
    unwrapPage(api.GET('/api/notifications', { params: { query: { cursor } }, signal })),
  memberOf: ({ user }) => user?.id,
  readCursor: async (db) => (await readNotifications(db))?.next ?? null,
  tables: () => [],
  replace: async (db, { items, next }) =>
    setMeta(db, 'notifications', { items: await withPending(db, items), next }),
  append: async (db, { items, next }) => {
    const stored = (await readNotifications(db))?.items ?? [];
    await setMeta(db, 'notifications', { items: [...stored, ...(await withPending(db, items))], next });
  },
};

export const refreshNotifications = (db: HeartwardDb, signal?: AbortSignal) =>
  refreshMirror(db, mirror, signal);
export const fetchNextNotifications = (db: HeartwardDb) => fetchNextPage(db, mirror);

export const useNotifications = () =>
  useCached({
    key: NOTIFICATIONS_KEY,
    read: readNotifications,
    refresh: refreshNotifications,
    isEmpty: (list) => !list?.items.length,
    staleMs: 0,
  });

/** Fetches pages until as many unread ones are stored as the bell counts, at most a page of them. */
export async function fetchUnread(db: HeartwardDb): Promise<void> {
  for (;;) {
    const stored = await readNotifications(db);
    const found = stored?.items.filter(({ isRead }) => !isRead).length ?? 0;
    const wanted = Math.min(50, await getMeta(db, 'notifications:unread'));
    if (!stored?.next || found >= wanted) return;
    await fetchNextNotifications(db);
  }
}

/** Marks a notification as read, here at once and on the server through the outbox. */
export function markRead(db: HeartwardDb, { id, at, isRead }: Notification): Promise<void> {
  return isRead ? Promise.resolve() : store(db, { items: [{ id, at }], until: null });
}

/** Marks the newest notification and all before it as read. */
export async function markAllRead(db: HeartwardDb): Promise<void> {
  const newest = (await readNotifications(db))?.items[0];
  if (newest) await store(db, { items: [], until: newest.at });
}

async function store(db: HeartwardDb, read: Read): Promise<void> {
  await db.transaction('rw', [...outboxTables(db), db.meta], async () => {
    const list = await readNotifications(db);
    const isRead = isReadBy(read);
    const items = list?.items ?? [];
    const marked = items.filter((item) => !item.isRead && isRead(item)).length;
    const unread = await getMeta(db, 'notifications:unread');
    if (list)
      await setMeta(db, 'notifications', {
        ...list,
        items: items.map((item) => (isRead(item) ? { ...item, isRead: true } : item)),
      });
    // All older ones are read too, also those that are not on the device.
    await setMeta(db, 'notifications:unread', read.until ? 0 : Math.max(0, unread - marked));
    await enqueue(db, { kind: 'notificationsRead', ...read });
  });
}

export type Day = { label: string; items: Notification[] };

/** Groups a list, the newest first, by the days of the device's time zone. */
export function groupByDay(items: Notification[], now = new Date()): Day[] {
  const days: Day[] = [];
  for (const item of items) {
    const label = formatDay(item.at, now);
    const last = days.at(-1);
    if (last?.label === label) last.items.push(item);
    else days.push({ label, items: [item] });
  }
  return days;
}
