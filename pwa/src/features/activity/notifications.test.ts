import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Notification } from '@/api/types.ts';
import { drain } from '@/offline/outbox/drain.ts';
import { NOTIFICATIONS_ROW } from '@/offline/outbox/outbox.ts';
import { countBadges } from '@/offline/store/badgeCounts.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { setMeta } from '@/offline/store/meta.ts';
import { onPurge, purgeMember } from '@/offline/store/purge.ts';
import { drainEnv, FakeServer, freshDb, json } from '@/offline/testkit.ts';
import { notificationsData } from './activityData.ts';
import {
  groupByDay,
  markAllRead,
  markRead,
  readNotifications,
  refreshNotifications,
} from './notifications.ts';
import { storeUnread } from './unread.ts';

onPurge(notificationsData);

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute)).toISOString();

const item = (name: string, minute: number, isRead = false): Notification => ({
  id: `matched-${name}`,
  kind: 'matched',
  category: 'matches',
  at: at(minute),
  text: `You and ${name} like each other.`,
  path: `/messages/${name}`,
  isRead,
  user: {
    id: name,
    firstName: name,
    fullName: name,
    age: 31,
    city: 'Portland',
    bio: '',
    profileImageUrl: null,
    placeholder: '',
    isVerified: false,
  },
});

const serve = (items: Notification[]) =>
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json(items));

let db: HeartwardDb;
beforeEach(async () => {
  db = await freshDb();
  serve([item('Cleo', 3), item('Bea', 2), item('Ada', 1, true)]);
  await refreshNotifications(db);
  await setMeta(db, 'notifications:unread', 2);
  return () => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  };
});

const unread = async () =>
  (await readNotifications(db))?.items.filter(({ isRead }) => !isRead).map(({ user }) => user?.id);
const count = async () => (await countBadges(db)).notifications;
const waiting = async () => (await db.outbox.get(NOTIFICATIONS_ROW))?.body;

/** Sends the outbox; returns the bodies that the server received. */
async function send(response: object, status = 200): Promise<unknown[]> {
  const server = new FakeServer();
  server.intercept = () => json(status, response);
  await drain(drainEnv(db, server).env, true);
  return server.requests.map(({ body }) => body);
}

describe('reading notifications', () => {
  test('marks one at once, and again changes nothing', async () => {
    await markRead(db, item('Cleo', 3));
    await markRead(db, item('Cleo', 3));
    expect(await unread()).toEqual(['Bea']);
    expect(await count()).toBe(1);
    expect(await waiting()).toEqual({
      kind: 'notificationsRead',
      items: [{ id: 'matched-Cleo', at: at(3) }],
      until: null,
    });
  });

  test('marks all up to the newest, in the row that waits', async () => {
    await markRead(db, item('Bea', 2));
    await markAllRead(db);
    expect(await unread()).toEqual([]);
    expect(await count()).toBe(0);
    expect(await send({ unread: 3 })).toEqual([{ items: [{ id: 'matched-Bea', at: at(2) }], until: at(3) }]);
    expect(await waiting()).toBeUndefined();
    expect(await count(), 'the server counts what this device has not fetched').toBe(3);
  });

  test('is not undone by a list or a count that the server made before', async () => {
    await markRead(db, item('Cleo', 3));
    serve([item('Dan', 4), item('Cleo', 3), item('Bea', 2)]);
    await refreshNotifications(db);
    await storeUnread(db, 3);
    expect(await unread()).toEqual(['Dan', 'Bea']);
    expect(await count()).toBe(1);
    serve([{ ...item('Cleo', 5), text: 'A later one of the same group' }]);
    await refreshNotifications(db);
    expect(await unread(), 'a group with a later time').toEqual(['Cleo']);
  });

  test('is dropped when the server refuses it', async () => {
    await markRead(db, item('Cleo', 3));
    await send({ detail: 'No' }, 422);
    expect(await waiting()).toBeUndefined();
  });
});

test('a purged member is neither listed nor counted', async () => {
  await purgeMember(db, 'Bea');
  expect(await unread()).toEqual(['Cleo']);
  expect(await count()).toBe(1);
});

test('groups by days of the device', () => {
  const now = new Date(2026, 10, 20, 12);
  const on = (day: number, hour: number): Notification => ({
    ...item('Cleo', 0),
    at: new Date(2026, 10, day, hour).toISOString(),
  });
  const days = groupByDay([on(20, 11), on(20, 0), on(19, 23), on(18, 1), on(1, 1)], now);
  expect(days.map(({ label, items }) => [label, items.length])).toEqual([
    ['Today', 2],
    ['Yesterday', 1],
    ['Wednesday', 1],
    ['November 1, 2026', 1],
  ]);
});
