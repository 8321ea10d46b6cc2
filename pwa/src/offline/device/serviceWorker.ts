/**
 * The service worker, in the page. An update is never activated by itself: `onUpdateReady` reports it, and the member
 * applies it when nothing is being recorded or uploaded. This module imports little, because it is loaded at the start.
 */
import { databaseUpgraded } from '@/base/events.ts';
import { createStore } from '@/base/store.ts';

const PROBE_MS = 60 * 60_000;

let registration: ServiceWorkerRegistration | undefined;
const hasUpdate = createStore(false);

/** Calls the listener when a new version is waiting, at once if it already is. Returns a function that removes it. */
export function onUpdateReady(listener: () => void): () => void {
  if (hasUpdate.get()) listener();
  return hasUpdate.subscribe(listener);
}

const blockers = new Set<symbol>();

/**
 * Blocks reloads, as during a recording or an upload, until the returned function is called. Text is stored instead.
 */
export function blockReload(): () => void {
  const token = Symbol('blocker');
  blockers.add(token);
  return () => {
    if (!blockers.delete(token) || blockers.size > 0) return;
    for (const listener of unblockedListeners) listener();
    unblockedListeners.clear();
  };
}

const unblockedListeners = new Set<() => void>();

/** Calls the listener once, when the last block has ended. */
export function onceUnblocked(listener: () => void): void {
  unblockedListeners.add(listener);
}

const flushes = new Set<() => Promise<unknown>>();

/** Runs `flush` before a reload for an update, so that text that is stored with a delay is not lost. */
export function flushBeforeReload(flush: () => Promise<unknown>): () => void {
  flushes.add(flush);
  return () => flushes.delete(flush);
}

const FLUSH_MS = 1000;

/** Runs all flushes, for at most a second, because a database that hangs must not prevent the update. */
async function flushAll(): Promise<void> {
  const all = Promise.allSettled([...flushes].map((flush) => flush()));
  await Promise.race([all, new Promise((resolve) => setTimeout(resolve, FLUSH_MS))]);
}

/** Whether a reload would lose nothing. Check it again before offering or applying an update. */
export const canUpdate = () => blockers.size === 0;

/** Activates the waiting version, which reloads every open tab. */
export async function applyUpdate(): Promise<void> {
  const waiting = registration?.waiting;
  if (!waiting || !canUpdate()) return;
  await flushAll();
  waiting.postMessage({ type: 'SKIP_WAITING' });
}

/**
 * Reloads the page after a new version was activated, by this or another tab: the old chunks are no longer cached, and
 * a tab with the new version may upgrade the database.
 */
function reloadForUpdate(): void {
  // Without a controller the worker was removed by signing out, which is no update.
  if (!navigator.serviceWorker.controller) return;
  if (canUpdate()) void flushAll().then(() => location.reload());
  else onceUnblocked(reloadForUpdate);
}

/**
 * Reloads the page at once when a tab with a newer version of the app has upgraded the database, because this version
 * can no longer store anything. Typed text is in the drafts.
 */
export function reloadWhenOutdated(reload: () => void = () => location.reload()): void {
  const stop = databaseUpgraded.subscribe(() => {
    stop();
    reload();
  });
}

/** Opens the path of a tapped notification. Call it before the page has loaded, or the worker's message is lost. */
export function openTappedNotifications(navigate: (path: string) => void): void {
  navigator.serviceWorker?.addEventListener('message', ({ data }) => {
    if (data?.type === 'NAVIGATE' && typeof data.path === 'string') navigate(data.path);
  });
}

/**
 * Registers the worker and checks for updates on load, when shown again and hourly. Call once, after the first paint.
 */
export async function registerServiceWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  let controlled = navigator.serviceWorker.controller !== null;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    // The first worker controls the page that registered it; that is no update.
    if (controlled) reloadForUpdate();
    controlled = true;
  });
  registration = await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
  registration.addEventListener('updatefound', watchInstalling);
  // Another tab or the browser may have started an installation before this page listened.
  watchInstalling();
  const probe = () => {
    if (document.visibilityState !== 'visible') return;
    if (registration?.waiting && registration.active) hasUpdate.set(true);
    void registration?.update().catch(() => undefined);
  };
  document.addEventListener('visibilitychange', probe);
  addEventListener('pageshow', probe);
  setInterval(probe, PROBE_MS);
  probe();
}

function watchInstalling(): void {
  const worker = registration?.installing;
  worker?.addEventListener('statechange', () => {
    // The first worker of a registration is no update, although the page may have a controller: signing out removes the
    // registration, not the worker of an open page.
    if (worker.state === 'installed' && registration?.active) hasUpdate.set(true);
  });
}
