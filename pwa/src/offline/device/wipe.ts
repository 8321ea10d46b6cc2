/**
 * Deletes or locks the member's data on this device. This module does not import Dexie, because it runs before the
 * first paint.
 *
 * Signing out deletes all data, in these steps: a warning if `findUnsent()` finds something, `prepareSignOut()` while
 * the session is valid, POST /api/auth/logout, `wipeDevice()`, `blankAndNavigate()`. A revoked session and the sign-in
 * of another member delete it too. An expired session only locks the data: it is neither drawn nor sent until the same
 * member signs in again, for at most 30 days.
 */
import { DAY_MS } from '@/base/format.ts';
import { attempt, stopSession } from '@/base/pageSession.ts';
import { deviceKeys, deviceMember, keepsNothing, storageKeys } from '@/base/storage.ts';
import { deleteFileCaches } from '../store/fileCaches.ts';
import { DB_PREFIX } from '../store/rows.ts';
import { withTimeout } from '../store/withTimeout.ts';
import { withDeviceLock } from './deviceLock.ts';
import { storeDeviceMember } from './marker.ts';
import { removePushSubscription } from './pushRemoval.ts';
import { SHARED_DB } from './sharedNames.ts';

const MAX_LOCKED_MS = 30 * DAY_MS;
/**
 * In Chromium an IndexedDB request never completes if another tab receives Clear-Site-Data meanwhile. The next start
 * deletes the remaining databases.
 */
const INDEXED_DB_TIMEOUT_MS = 1000;
const CHANNEL = 'hw-session';
/** Identifies this tab's own messages: another BroadcastChannel of the same tab receives them too. */
const tab = String(Math.random());

/** Stops the socket and the drain, and removes the push subscription, while the session is valid. */
export async function prepareSignOut(): Promise<void> {
  await stopSession();
  await removePushSubscription();
}

/** Deletes all data of the member on this device and notifies the other tabs. */
export const wipeDevice = (): Promise<void> => withDeviceLock(wipeAndNotify);

async function wipeAndNotify(): Promise<void> {
  await deleteLocalData();
  notifyOtherTabs();
}

export function notifyOtherTabs(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(tab);
  channel.close();
}

async function deleteLocalData(): Promise<void> {
  const databases = await memberDatabases().catch((): string[] => []);
  // First, so that code that is still running does not open the database again.
  localStorage.removeItem(storageKeys.member);
  await stopSession();
  await attempt(() => storeDeviceMember(null));
  await deleteDatabases([...databases, SHARED_DB]);
  await attempt(() => deleteFileCaches());
  await attempt(() => removePushSubscription({ atServer: false }));
  await attempt(closeNotifications);
  for (const key of storedKeys()) if (!deviceKeys.includes(key)) localStorage.removeItem(key);
  sessionStorage.clear();
}

/** Returns the keys of localStorage, which need not be its own properties (boot.js). */
const storedKeys = (): string[] =>
  Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '');

/**
 * Deletes all that this site has stored in the browser, for a database that cannot be opened: nothing in it can be
 * read any more. The session, which is a cookie, stays.
 */
export const clearSiteData = (): Promise<void> =>
  withDeviceLock(async () => {
    const databases = await memberDatabases();
    await stopSession();
    await deleteDatabases([...databases, SHARED_DB]);
    const areCaches = 'caches' in globalThis;
    await attempt(
      async () => areCaches && Promise.all((await caches.keys()).map((name) => caches.delete(name))),
    );
    await attempt(async () => (await navigator.serviceWorker?.getRegistration())?.unregister());
    localStorage.clear();
    sessionStorage.clear();
    notifyOtherTabs();
  });

/**
 * Deletes the data of any other member; the data of the same member stays and is unlocked. Call it before anything is
 * drawn, once the server has identified the member.
 */
export const bindDeviceTo = (memberId: string): Promise<void> => withDeviceLock(() => bind(memberId));

async function bind(memberId: string): Promise<void> {
  const before = deviceMember() ?? lockedMember();
  const isKept = !keepsNothing();
  const otherDatabases = (await memberDatabases()).filter((name) => !isKept || name !== DB_PREFIX + memberId);
  if (before === memberId) {
    await attempt(() => Promise.all(otherDatabases.map(deleteDatabase)));
    await attempt(() => deleteFileCaches(isKept ? memberId : undefined));
  } else if (before || otherDatabases.length > 0) {
    await wipeAndNotify();
    // Chosen before this sign-in, or by the member before: the device is no less borrowed.
    if (!isKept) localStorage.setItem(storageKeys.keepsNothing, '1');
  }
  localStorage.setItem(storageKeys.member, memberId);
  localStorage.removeItem(storageKeys.locked);
  shownMember = memberId;
  // Without it the worker stores nothing, and its notifications name nobody.
  await attempt(() => storeDeviceMember(keepsNothing() ? null : memberId));
}

/** Locks the data of an expired session; deletes that of a session revoked by the member or by an admin. */
export const endSession = (reason: 'expired' | 'revoked'): Promise<void> => withDeviceLock(() => end(reason));

async function end(reason: 'expired' | 'revoked'): Promise<void> {
  const member = deviceMember();
  if (reason === 'expired' && member) await lock(member);
  else if (reason === 'revoked' || !isLocked()) {
    if ((await memberDatabases()).length > 0) await wipeAndNotify();
  }
}

async function lock(memberId: string): Promise<void> {
  localStorage.setItem(storageKeys.locked, `${Date.now()} ${memberId}`);
  localStorage.removeItem(storageKeys.member);
  await stopSession();
  await attempt(() => storeDeviceMember(null));
  // Photos are not needed offline while locked, and can be fetched again.
  await attempt(() => deleteFileCaches());
  await attempt(closeNotifications);
  notifyOtherTabs();
}

/** Returns the id of the member whose data is locked on this device, or null. */
export function lockedMember(): string | null {
  return localStorage.getItem(storageKeys.locked)?.split(' ')[1] ?? null;
}

/** Whether the device is locked; a lock ends after 30 days. */
function isLocked(): boolean {
  const [at = 0] = (localStorage.getItem(storageKeys.locked) ?? '').split(' ').map(Number);
  return at > 0 && Date.now() - at < MAX_LOCKED_MS;
}

/** Empties the page before `load`, so that the history's previous entry does not show the last member's messages. */
export function blankAndNavigate(load: () => void = () => location.replace('/')): void {
  document.body.replaceChildren();
  load();
}

/** The member whose data this page shows. */
let shownMember: string | null = null;

/**
 * Reloads a page that returns from the back/forward cache after a sign-out or a sign-in, here or in another tab.
 * Call at the start.
 */
export function reloadIfMemberChanged(reload: () => void = () => location.reload()): void {
  shownMember = deviceMember();
  window.addEventListener('pageshow', ({ persisted }) => {
    const isBlank = document.body.childElementCount === 0;
    if (persisted && (isBlank || deviceMember() !== shownMember)) blankAndNavigate(reload);
  });
}

/**
 * When another tab has signed out or locked the device, stops this tab, deletes data that it may have written since,
 * and calls `leave`. Returns a function that stops listening.
 */
export function signOutWithOtherTabs(leave: () => void = () => blankAndNavigate()): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  const onMessage = ({ data }: MessageEvent) => {
    if (data !== tab) void withDeviceLock(wipeIfSignedOut).finally(leave);
  };
  channel.addEventListener('message', onMessage);
  return () => channel.close();
}

async function wipeIfSignedOut(): Promise<void> {
  await stopSession();
  // Not if a member has signed in meanwhile in another tab, or if the device is locked.
  if (!deviceMember() && !isLocked()) await deleteLocalData();
}

export async function memberDatabases(): Promise<string[]> {
  const known = [deviceMember(), lockedMember()];
  const names = new Set(known.flatMap((id) => (id ? [DB_PREFIX + id] : [])));
  for (const { name } of (await withTimeout(listDatabases(), INDEXED_DB_TIMEOUT_MS)) ?? [])
    if (name?.startsWith(DB_PREFIX)) names.add(name);
  return [...names];
}

/** Rejects in a browser that blocks storage, where even the call throws. */
const listDatabases = async (): Promise<IDBDatabaseInfo[]> => (await indexedDB.databases?.()) ?? [];

/** Deletes databases, or gives up: the next start deletes those that remain. */
export const deleteDatabases = (names: string[]): Promise<void> =>
  attempt(() => withTimeout(Promise.all(names.map(deleteDatabase)), INDEXED_DB_TIMEOUT_MS));

function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(name);
    // Blocked: another tab has the database open. It closes it on versionchange or on the broadcast, and then the
    // deletion completes.
    request.onsuccess = request.onerror = request.onblocked = () => resolve();
  });
}

export async function closeNotifications(): Promise<void> {
  await navigator.clearAppBadge?.().catch(() => undefined);
  const registration = await navigator.serviceWorker?.getRegistration();
  const shown = (await registration?.getNotifications?.()) ?? [];
  for (const notification of shown) notification.close();
}
