/**
 * Whose data is on this device. Light on purpose (no Dexie), because it runs before the first paint.
 *
 * Signing out removes all of it, in this order: a warning when `findUnsent()` finds something, `prepareSignOut()`
 * while the session still works, POST /api/auth/logout, `wipeDevice()`, `blankAndNavigate()`. So does a session that was
 * revoked, and the sign-in of another member. A session that expired only locks the data: nothing of it is drawn
 * or sent until the same member signs in again, for at most 30 days.
 */
import { deviceKeys, deviceMember, storageKeys } from '@/session/storage.ts';
import { deleteFileCaches } from '../store/fileCaches.ts';
import { DB_PREFIX } from '../store/rows.ts';
import { attempt, tearDown } from '../store/teardown.ts';
import { withTimeout } from '../store/withTimeout.ts';
import { storeDeviceMember } from './marker.ts';
import { removePushSubscription } from './push.ts';
import { SHARED_DB } from './shared.ts';

const MAX_LOCKED_MS = 30 * 86_400_000;
/**
 * Chromium never answers an IndexedDB request during which another tab receives Clear-Site-Data. The next start finds
 * the databases that are left.
 */
const INDEXED_DB_TIMEOUT_MS = 1000;
const CHANNEL = 'hw-session';
/** A channel also delivers to its own tab, which must not follow itself. */
const tab = String(Math.random());

/** Stops socket and drain and takes back the push subscription, while still signed in. */
export async function prepareSignOut(): Promise<void> {
  await tearDown();
  await removePushSubscription();
}

/** Deletes every trace of the member on this device and tells the other tabs. */
export const wipeDevice = (): Promise<void> => withDeviceLock(wipeAndTell);

async function wipeAndTell(): Promise<void> {
  await wipeHere();
  notifyOtherTabs();
}

function notifyOtherTabs(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(tab);
  channel.close();
}

const LOCK_PATIENCE_MS = 3000;

/**
 * One tab at a time decides whose the device is: a late wipe must not meet the database of the member who signed
 * in after it. A tab that is frozen while it holds the lock is not waited for.
 */
function withDeviceLock(work: () => Promise<void>): Promise<void> {
  if (!navigator.locks) return work();
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), LOCK_PATIENCE_MS);
  let granted = false;
  const once = () => {
    granted = true;
    clearTimeout(timer);
    return work();
  };
  return navigator.locks.request('hw-device', { signal: patience.signal }, once).catch((error: unknown) => {
    if (granted) throw error;
    return once();
  });
}

async function wipeHere(): Promise<void> {
  const databases = await memberDatabases().catch((): string[] => []);
  // First, so that no code that still reads or writes opens the database again.
  localStorage.removeItem(storageKeys.member);
  await tearDown();
  await attempt(() => storeDeviceMember(null));
  await attempt(() =>
    withTimeout(Promise.all([...databases, SHARED_DB].map(deleteDatabase)), INDEXED_DB_TIMEOUT_MS),
  );
  await attempt(() => deleteFileCaches());
  await attempt(() => removePushSubscription({ atServer: false }));
  await attempt(closeNotifications);
  for (const key of Object.keys(localStorage)) if (!deviceKeys.includes(key)) localStorage.removeItem(key);
  sessionStorage.clear();
}

/**
 * Call before anything is drawn, once the server has said who is signed in. Wipes the data of any other member;
 * the same member's unsent data stays and is unlocked.
 */
export const bindDeviceTo = (memberId: string): Promise<void> => withDeviceLock(() => bind(memberId));

async function bind(memberId: string): Promise<void> {
  const before = deviceMember() ?? lockedMember();
  const foreign = (await memberDatabases()).filter((name) => name !== DB_PREFIX + memberId);
  if (before === memberId) {
    await attempt(() => Promise.all(foreign.map(deleteDatabase)));
    await attempt(() => deleteFileCaches(memberId));
  } else if (before || foreign.length > 0) await wipeAndTell();
  localStorage.setItem(storageKeys.member, memberId);
  localStorage.removeItem(storageKeys.locked);
  drawnFor = memberId;
  await attempt(() => storeDeviceMember(memberId));
}

/** Call when the server has said that the session is over: expired, or revoked by the member or by an admin. */
export const endSession = (how: 'expired' | 'revoked'): Promise<void> => withDeviceLock(() => end(how));

async function end(how: 'expired' | 'revoked'): Promise<void> {
  const member = deviceMember();
  if (how === 'expired' && member) await lock(member);
  else if (how === 'revoked' || !isLocked()) {
    if ((await memberDatabases()).length > 0) await wipeAndTell();
  }
}

async function lock(memberId: string): Promise<void> {
  localStorage.setItem(storageKeys.locked, `${Date.now()} ${memberId}`);
  localStorage.removeItem(storageKeys.member);
  await tearDown();
  await attempt(() => storeDeviceMember(null));
  // Photos can be fetched again.
  await attempt(() => deleteFileCaches());
  await attempt(closeNotifications);
  notifyOtherTabs();
}

/** Whose data is locked on this device. */
export function lockedMember(): string | null {
  return localStorage.getItem(storageKeys.locked)?.split(' ')[1] ?? null;
}

/** False also when the lock has lasted its 30 days. */
function isLocked(): boolean {
  const [at = 0] = (localStorage.getItem(storageKeys.locked) ?? '').split(' ').map(Number);
  return at > 0 && Date.now() - at < MAX_LOCKED_MS;
}

/** Empties the page before `load`, so that going back in the history does not show the last member's messages. */
export function blankAndNavigate(load: () => void = () => location.replace('/')): void {
  document.body.replaceChildren();
  load();
}

/** The member whose data this page shows. */
let drawnFor: string | null = null;

/**
 * Reloads a page that returns from the back/forward cache after a sign-out or a sign-in, here or in another tab.
 * Call at the start.
 */
export function reloadIfMemberChanged(reload: () => void = () => location.reload()): void {
  drawnFor = deviceMember();
  addEventListener('pageshow', ({ persisted }) => {
    const left = document.body.childElementCount === 0;
    if (persisted && (left || deviceMember() !== drawnFor)) blankAndNavigate(reload);
  });
}

/** When another tab signs out or is locked: stops, wipes what this tab may have written since, and calls `leave`. */
export function signOutWithOtherTabs(leave: () => void = () => blankAndNavigate()): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => {
    if (data !== tab) void withDeviceLock(wipeIfSignedOut).finally(leave);
  };
  return () => channel.close();
}

async function wipeIfSignedOut(): Promise<void> {
  await tearDown();
  // A member who signed in elsewhere in the meantime keeps their data, and what is locked stays.
  if (!deviceMember() && !isLocked()) await wipeHere();
}

async function memberDatabases(): Promise<string[]> {
  const known = [deviceMember(), lockedMember()];
  const names = new Set(known.flatMap((id) => (id ? [DB_PREFIX + id] : [])));
  for (const { name } of (await withTimeout(
    Promise.resolve(indexedDB.databases?.()),
    INDEXED_DB_TIMEOUT_MS,
  )) ?? [])
    if (name?.startsWith(DB_PREFIX)) names.add(name);
  return [...names];
}

function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(name);
    // Blocked: another tab still holds it. It lets go on versionchange, or when
    // it follows the broadcast; the deletion then completes by itself.
    request.onsuccess = request.onerror = request.onblocked = () => resolve();
  });
}

async function closeNotifications(): Promise<void> {
  await navigator.clearAppBadge?.().catch(() => undefined);
  const registration = await navigator.serviceWorker?.getRegistration();
  const shown = (await registration?.getNotifications?.()) ?? [];
  for (const notification of shown) notification.close();
}
