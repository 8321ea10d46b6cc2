/**
 * The settings of notifications and media, mirrored on the device. Changes are sent through the outbox by field, so
 * that they do not revert other fields that another device has changed meanwhile.
 */

import { liveQuery } from 'dexie';
import { api, unwrap } from '@/api/client.ts';
import { notificationDefaults } from '@/api/defaults.gen.ts';
import { ApiError } from '@/api/request.ts';
import type { NotificationSettings } from '@/api/types.ts';
import { sessionRefused } from '@/base/events.ts';
import { part } from '@/base/pageSession.ts';
import { enqueue, SETTINGS_ROW } from '@/offline/outbox/outbox.ts';
import { discard } from '@/offline/outbox/rejectedRows.ts';
import { senderOf } from '@/offline/outbox/sender.ts';
import { useDb, useLive } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { whenIdle } from '@/offline/store/idle.ts';
import { getMeta, setMeta } from '@/offline/store/meta.ts';
import type { OutboxRow } from '@/offline/store/rows.ts';

type Patch = Partial<NotificationSettings>;

/** The settings of the last read, for a component that renders before its own first read. */
const lastOf = part(() => ({ settings: notificationDefaults }));

/** Returns the stored settings with unsent changes; null if none are stored. */
export async function storedSettings(db: HeartwardDb): Promise<NotificationSettings | null> {
  const server = await getMeta(db, 'settings');
  const row = await db.outbox.get(SETTINGS_ROW);
  const patch = row && row.state !== 'failed' && row.body.kind === 'settings' ? row.body.patch : null;
  const stored = server || patch ? { ...notificationDefaults, ...server, ...patch } : null;
  lastOf(db).settings = stored ?? notificationDefaults;
  return stored;
}

export const readSettings = async (db: HeartwardDb): Promise<NotificationSettings> =>
  (await storedSettings(db)) ?? notificationDefaults;

/** Returns the settings; the defaults until they are read for the first time. */
export function useSettings(): NotificationSettings {
  const db = useDb();
  return useLive(readSettings) ?? lastOf(db).settings;
}

/**
 * Changes settings on this device, then on the server. Returns 'stored' if the server could not be reached; the outbox
 * sends them later. Throws ApiError if the server rejects them, and reverts the change.
 */
export async function saveSettings(db: HeartwardDb, patch: Patch): Promise<'saved' | 'stored'> {
  await enqueue(db, { kind: 'settings', patch });
  const row = await sendSettings(db);
  if (row?.state !== 'failed') return row ? 'stored' : 'saved';
  await discard(db, SETTINGS_ROW);
  throw new ApiError(row.status ?? 422, 'rejected', row.reason ?? '');
}

/** Sends the changed settings. Returns their row if it was rejected or waits for another attempt. */
function sendSettings(db: HeartwardDb): Promise<OutboxRow | undefined> {
  return new Promise((resolve) => {
    const finish = (row?: OutboxRow) => {
      stopListening();
      subscription.unsubscribe();
      resolve(row);
    };
    const onRefused = () => void db.outbox.get(SETTINGS_ROW).then(finish);
    const stopListening = sessionRefused.subscribe(onRefused);
    const subscription = liveQuery(() => db.outbox.get(SETTINGS_ROW)).subscribe((row) => {
      const isWaiting = row?.state === 'queued' && row.nextAt > Date.now();
      if (!row || row.state === 'failed' || isWaiting) finish(row);
    });
    senderOf(db).kick({ eager: true });
  });
}

/** Sends the changed settings, then fetches and stores the server's. */
export async function syncSettings(db: HeartwardDb): Promise<void> {
  const row = await db.outbox.get(SETTINGS_ROW);
  if (row?.state === 'failed') await discard(db, SETTINGS_ROW);
  else if (row) {
    // Makes the row due if it waits for its next attempt.
    await enqueue(db, { kind: 'settings', patch: {} });
    await sendSettings(db);
  }
  const before = JSON.stringify(await getMeta(db, 'settings'));
  const settings = await unwrap(api.GET('/api/notifications/settings'));
  await db.transaction('rw', db.meta, async () => {
    // Not if the response to a change has been stored meanwhile, which is newer.
    if (JSON.stringify(await getMeta(db, 'settings')) === before) await setMeta(db, 'settings', settings);
  });
}

/** Saves the zone while the settings have the default, so that the times in mails are the member's. */
async function saveTimeZone(db: HeartwardDb, zone: string): Promise<void> {
  const { quietFrom, timeZone } = await readSettings(db);
  if (quietFrom === null && timeZone === notificationDefaults.timeZone && timeZone !== zone)
    await saveSettings(db, { timeZone: zone });
}

/**
 * Fetches the settings when the browser is idle and when online again, keeps the last ones in memory, and saves the device's time zone
 * if there is none. Returns a function that stops it.
 */
export function startSettingsSync(db: HeartwardDb, deviceZone: string): () => void {
  const refresh = () =>
    void syncSettings(db)
      .then(() => saveTimeZone(db, deviceZone))
      .catch(() => undefined);
  addEventListener('online', refresh);
  void whenIdle().then(refresh);
  // Signing out may close the database during the read.
  const subscription = liveQuery(() => readSettings(db)).subscribe({ error: () => undefined });
  return () => {
    subscription.unsubscribe();
    removeEventListener('online', refresh);
  };
}
