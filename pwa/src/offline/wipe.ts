/**
 * Leaving a device: nothing of the member stays behind. Light on purpose (no
 * Dexie), because it runs before the first paint when the session turns out to
 * be over or to belong to somebody else.
 *
 * Signing out, in this order: a warning when `findUnsent()` finds something,
 * `prepareSignOut()` while the session still works, POST /api/auth/logout,
 * `wipeDevice()`, `leavePage()`.
 */
import { FILE_CACHE_PREFIX, SHARED_DB } from './names.ts';
import { removePushSubscription } from './push.ts';
import { DB_PREFIX } from './rows.ts';

const MEMBER_KEY = 'hw.member';
/** The device's own, not the member's: its theme, how fast it plays, and that the server has still to hear of a sign-out. */
const DEVICE_KEYS = ['hw.theme', 'hw.speed', 'hw.leaving'];
const CHANNEL = 'hw-session';
/** A channel also delivers to its own tab, which must not follow itself. */
const tab = String(Math.random());

type Teardown = () => void | Promise<void>;
const teardowns = new Set<Teardown>();

/** Registers what has to stop (socket, drain, database) before data is deleted. Returns the way to take it back. */
export function onWipe(teardown: Teardown): () => void {
  teardowns.add(teardown);
  return () => teardowns.delete(teardown);
}

async function stopEverything(): Promise<void> {
  for (const teardown of teardowns) await attempt(teardown);
}

/** One part that fails must not save the others from deletion. */
async function attempt(part: () => unknown): Promise<void> {
  try {
    await part();
  } catch (error) {
    console.warn('A part of signing out failed', error);
  }
}

/** Stops socket and drain and takes back the push subscription, while still signed in. */
export async function prepareSignOut(): Promise<void> {
  await stopEverything();
  await removePushSubscription();
}

/** Deletes every trace of the member on this device and tells the other tabs. */
export async function wipeDevice(): Promise<void> {
  await wipeHere();
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(tab);
  channel.close();
}

async function wipeHere(): Promise<void> {
  const databases = await memberDatabases().catch((): string[] => []);
  // First, so that nobody who still reads or writes opens the database anew.
  localStorage.removeItem(MEMBER_KEY);
  await stopEverything();
  await attempt(() => inTime(Promise.all([...databases, SHARED_DB].map(deleteDatabase))));
  await attempt(deleteFileCaches);
  await attempt(() => removePushSubscription({ atServer: false }));
  await attempt(closeNotifications);
  for (const key of Object.keys(localStorage)) if (!DEVICE_KEYS.includes(key)) localStorage.removeItem(key);
  sessionStorage.clear();
}

/**
 * Call with the answer of GET /api/auth/user before anything is drawn: the
 * member's id, or null on a 401. Whatever another member left is wiped first;
 * what the same member has not sent yet stays.
 */
export async function claimDevice(memberId: string | null): Promise<void> {
  const known = localStorage.getItem(MEMBER_KEY);
  const foreign = (await memberDatabases()).filter((name) => name !== DB_PREFIX + memberId);
  if (memberId && known === memberId) {
    await attempt(() => Promise.all(foreign.map(deleteDatabase)));
    await attempt(() => deleteFileCaches(memberId));
  } else if (known || foreign.length > 0) await wipeDevice();
  if (memberId) localStorage.setItem(MEMBER_KEY, memberId);
}

/** Loads afresh. Nothing stays drawn, so that the way back in the history shows nobody's messages. */
export function leavePage(load: () => void = () => location.replace('/')): void {
  document.body.replaceChildren();
  load();
}

/**
 * A page that returns from the browser's back-forward cache stood still while
 * somebody signed out or in: then it loads afresh before it is used.
 */
export function reloadWhenOutlived(reload: () => void = () => location.reload()): void {
  let member: string | null = null;
  addEventListener('pagehide', () => {
    member = localStorage.getItem(MEMBER_KEY);
  });
  addEventListener('pageshow', ({ persisted }) => {
    const left = document.body.childElementCount === 0;
    if (persisted && (left || localStorage.getItem(MEMBER_KEY) !== member)) reload();
  });
}

/** Another tab signed out: stop, wipe what this tab may have written since, start over. */
export function followOtherTabs(leave: () => void = () => leavePage()): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => {
    if (data !== tab) void wipeIfSignedOut().finally(leave);
  };
  return () => channel.close();
}

async function wipeIfSignedOut(): Promise<void> {
  await stopEverything();
  // A member who signed in elsewhere in the meantime keeps their data.
  if (!localStorage.getItem(MEMBER_KEY)) await wipeHere();
}

async function memberDatabases(): Promise<string[]> {
  const known = localStorage.getItem(MEMBER_KEY);
  const names = new Set(known ? [DB_PREFIX + known] : []);
  for (const { name } of (await inTime(indexedDB.databases?.())) ?? [])
    if (name?.startsWith(DB_PREFIX)) names.add(name);
  return [...names];
}

const PATIENCE_MS = 1000;

/**
 * Chromium never answers a question to IndexedDB that meets another tab's Clear-Site-Data. What is still there
 * is found by the next start, which asks again.
 */
function inTime<T>(question: Promise<T> | undefined): Promise<T | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS));
  return Promise.race([question, late]);
}

function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(name);
    // Blocked: another tab still holds it. It lets go on versionchange, or when
    // it follows the broadcast; the deletion then completes by itself.
    request.onsuccess = request.onerror = request.onblocked = () => resolve();
  });
}

/** All members' files, or all but one's. */
async function deleteFileCaches(except?: string): Promise<void> {
  if (!('caches' in globalThis)) return;
  const names = (await caches.keys()).filter((name) => name.startsWith(FILE_CACHE_PREFIX));
  const gone = except ? names.filter((name) => !name.startsWith(FILE_CACHE_PREFIX + except)) : names;
  await Promise.all(gone.map((name) => caches.delete(name)));
}

async function closeNotifications(): Promise<void> {
  await navigator.clearAppBadge?.().catch(() => undefined);
  const registration = await navigator.serviceWorker?.getRegistration();
  const shown = (await registration?.getNotifications?.()) ?? [];
  for (const notification of shown) notification.close();
}
