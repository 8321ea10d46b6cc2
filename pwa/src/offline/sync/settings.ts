/**
 * What the member wants to be told and how media behaves. The server has it;
 * this device keeps a copy, and what was changed here and is not there yet, by
 * field: it is put on top of whatever another device has saved meanwhile. The
 * last word on a field wins, so trying again can do no harm.
 */
import { liveQuery } from 'dexie';
import { api, unwrap } from '../../api/client.ts';
import { ApiError } from '../../api/request.ts';
import type { NotificationSettings } from '../../api/types.ts';
import { useLive } from '../store/cached.ts';
import type { HeartwardDb } from '../store/db.ts';
import { DEFAULT_SETTINGS, deleteMeta, getMeta, setMeta } from '../store/meta.ts';
import { onWipe } from '../store/teardown.ts';

type Patch = Partial<NotificationSettings>;

/** As they were read last, for what is drawn before it has read them itself. */
let last = DEFAULT_SETTINGS;
onWipe(() => {
  last = DEFAULT_SETTINGS;
});

/** The settings as this device knows them; null while it has never heard of them. */
export async function keptSettings(db: HeartwardDb): Promise<NotificationSettings | null> {
  const server = await getMeta(db, 'settings');
  const changed = await getMeta(db, 'settings:changed');
  const kept = server || changed ? { ...DEFAULT_SETTINGS, ...server, ...changed } : null;
  last = kept ?? DEFAULT_SETTINGS;
  return kept;
}

export const readSettings = async (db: HeartwardDb): Promise<NotificationSettings> =>
  (await keptSettings(db)) ?? DEFAULT_SETTINGS;

/** For every part of the app: never undefined, the defaults until they are read for the first time. */
export const useSettings = (): NotificationSettings => useLive(readSettings) ?? last;

/**
 * Changes settings here at once and then at the server. 'kept': the server could not be reached, they are sent
 * later. Throws what the server has against them; then they are as before.
 */
export async function saveSettings(db: HeartwardDb, patch: Patch): Promise<'saved' | 'kept'> {
  await db.transaction('rw', db.meta, async () => {
    const changed = await getMeta(db, 'settings:changed');
    await setMeta(db, 'settings:changed', { ...changed, ...patch });
  });
  try {
    await syncSettings(db);
    return 'saved';
  } catch (error) {
    if (isRefusal(error)) throw error;
    return 'kept';
  }
}

/** The server understood and does not want it: asking again would not help. */
const isRefusal = (error: unknown) =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  ![401, 408, 429].includes(error.status);

let running: Promise<void> = Promise.resolve();

/** Sends what was changed and takes what the server has; one after the other, so that none overtakes another. */
export function syncSettings(db: HeartwardDb): Promise<void> {
  const mine = running.then(() => syncOnce(db));
  running = mine.catch(() => undefined);
  return mine;
}

async function syncOnce(db: HeartwardDb): Promise<void> {
  let settings = await unwrap(api.GET('/api/notifications/settings'));
  const sent = await getMeta(db, 'settings:changed');
  if (sent) {
    try {
      settings = await unwrap(api.PUT('/api/notifications/settings', { body: { ...settings, ...sent } }));
    } catch (error) {
      if (isRefusal(error)) await forget(db, sent);
      throw error;
    }
  }
  await db.transaction('rw', db.meta, async () => {
    await setMeta(db, 'settings', settings);
    if (sent) await forget(db, sent);
  });
}

/** Drops what was sent, but not what was changed again while it travelled. */
async function forget(db: HeartwardDb, sent: Patch): Promise<void> {
  await db.transaction('rw', db.meta, async () => {
    const changed = { ...(await getMeta(db, 'settings:changed')) };
    for (const field of Object.keys(sent) as (keyof Patch)[]) {
      if (changed[field] === sent[field]) delete changed[field];
    }
    if (Object.keys(changed).length > 0) await setMeta(db, 'settings:changed', changed);
    else await deleteMeta(db, 'settings:changed');
  });
}

/** Sends what waits, if anything does: whenever the server has shown that it is there. */
export async function sendSettings(db: HeartwardDb): Promise<void> {
  if (await getMeta(db, 'settings:changed')) await syncSettings(db);
}

/** Now, and whenever the network is back; what changes here is read at once. Returns the way to stop. */
export function followSettings(db: HeartwardDb): () => void {
  const again = () => void syncSettings(db).catch(() => undefined);
  addEventListener('online', again);
  again();
  // Signing out closes the database under it.
  const reading = liveQuery(() => readSettings(db)).subscribe({ error: () => undefined });
  return () => {
    reading.unsubscribe();
    removeEventListener('online', again);
  };
}
