/**
 * What the member wants to be told and how media behaves. The server has the settings, this device a copy. Changes go
 * through the outbox, by field, so that they do not undo what another device has changed meanwhile.
 */
import { liveQuery } from 'dexie';
import { api, unwrap } from '../../api/client.ts';
import { ApiError } from '../../api/request.ts';
import type { NotificationSettings } from '../../api/types.ts';
import { enqueue, kick, SETTINGS_ROW } from '../outbox/outbox.ts';
import { discard } from '../outbox/rejected.ts';
import { useLive } from '../store/cached.ts';
import type { HeartwardDb } from '../store/db.ts';
import { DEFAULT_SETTINGS, getMeta, setMeta } from '../store/meta.ts';
import type { OutboxRow } from '../store/rows.ts';
import { onWipe } from '../store/teardown.ts';

type Patch = Partial<NotificationSettings>;

/** The settings that were read last, for what is drawn before its own first read. */
let last = DEFAULT_SETTINGS;
onWipe(() => {
  last = DEFAULT_SETTINGS;
});

/** Returns the settings as this device knows them, unsent changes included; null while it knows none. */
export async function storedSettings(db: HeartwardDb): Promise<NotificationSettings | null> {
  const server = await getMeta(db, 'settings');
  const row = await db.outbox.get(SETTINGS_ROW);
  const patch = row && row.state !== 'failed' && row.body.kind === 'settings' ? row.body.patch : null;
  const stored = server || patch ? { ...DEFAULT_SETTINGS, ...server, ...patch } : null;
  last = stored ?? DEFAULT_SETTINGS;
  return stored;
}

export const readSettings = async (db: HeartwardDb): Promise<NotificationSettings> =>
  (await storedSettings(db)) ?? DEFAULT_SETTINGS;

/** For every part of the app: the defaults until they are read for the first time. */
export const useSettings = (): NotificationSettings => useLive(readSettings) ?? last;

/**
 * Changes settings on this device, then at the server. 'stored': the server could not be reached, the outbox sends
 * them later. Throws ApiError when the server refuses them; then they are as before.
 */
export async function saveSettings(db: HeartwardDb, patch: Patch): Promise<'saved' | 'stored'> {
  await enqueue({ kind: 'settings', patch });
  const row = await sendSettings(db);
  if (row?.state !== 'failed') return row ? 'stored' : 'saved';
  await discard(SETTINGS_ROW);
  throw new ApiError(row.status ?? 422, 'refused', row.reason ?? '');
}

/** Sends the changed settings. Returns their row when it was refused or waits for another attempt. */
function sendSettings(db: HeartwardDb): Promise<OutboxRow | undefined> {
  return new Promise((resolve) => {
    const end = (row?: OutboxRow) => {
      removeEventListener('hw:unauthorized', onUnauthorized);
      watching.unsubscribe();
      resolve(row);
    };
    const onUnauthorized = () => void db.outbox.get(SETTINGS_ROW).then(end);
    addEventListener('hw:unauthorized', onUnauthorized);
    const watching = liveQuery(() => db.outbox.get(SETTINGS_ROW)).subscribe((row) => {
      const waits = row?.state === 'queued' && row.nextAt > Date.now();
      if (!row || row.state === 'failed' || waits) end(row);
    });
    kick({ eager: true });
  });
}

/** Takes the server's settings, once those that were changed on this device are there. */
export async function syncSettings(db: HeartwardDb): Promise<void> {
  const row = await db.outbox.get(SETTINGS_ROW);
  if (row?.state === 'failed') await discard(SETTINGS_ROW);
  else if (row) {
    // Makes the row due, which may be waiting for its next attempt.
    await enqueue({ kind: 'settings', patch: {} });
    await sendSettings(db);
  }
  const before = JSON.stringify(await getMeta(db, 'settings'));
  const settings = await unwrap(api.GET('/api/notifications/settings'));
  await db.transaction('rw', db.meta, async () => {
    // The answer to a change came meanwhile, which is newer.
    if (JSON.stringify(await getMeta(db, 'settings')) === before) await setMeta(db, 'settings', settings);
  });
}

/** Fetches the settings now and when the network is back, and keeps `useSettings` current. Returns how to stop. */
export function followSettings(db: HeartwardDb): () => void {
  const fetchThem = () => void syncSettings(db).catch(() => undefined);
  addEventListener('online', fetchThem);
  fetchThem();
  // A sign-out closes the database during the read.
  const reading = liveQuery(() => readSettings(db)).subscribe({ error: () => undefined });
  return () => {
    reading.unsubscribe();
    removeEventListener('online', fetchThem);
  };
}
