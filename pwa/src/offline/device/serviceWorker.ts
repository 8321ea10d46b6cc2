/**
 * The page's side of the service worker. An update never takes over by itself:
 * `onUpdateReady` offers it, and the member applies it when nothing is being
 * recorded or uploaded. Light: imported at the start.
 */
const PROBE_MS = 60 * 60_000;

let registration: ServiceWorkerRegistration | undefined;
const listeners = new Set<() => void>();
let offered = false;

function offer(): void {
  if (offered) return;
  offered = true;
  for (const listener of listeners) listener();
}

/** Calls the listener once a new version waits (also when it already does). */
export function onUpdateReady(listener: () => void): () => void {
  listeners.add(listener);
  if (offered) listener();
  return () => listeners.delete(listener);
}

const busy = new Set<symbol>();

/** A recording or an upload runs: no reload until the returned function is called. Text is stored, and holds none. */
export function holdUpdate(): () => void {
  const token = Symbol('busy');
  busy.add(token);
  return () => {
    if (!busy.delete(token) || busy.size > 0) return;
    for (const listener of freed) listener();
    freed.clear();
  };
}

const freed = new Set<() => void>();

/** Calls the listener once when the last hold ends. */
export function onceFree(listener: () => void): void {
  freed.add(listener);
}

const flushes = new Set<() => Promise<unknown>>();

/** Runs `flush` before a reload for an update, so that text which is stored with a delay is not lost. */
export function flushBeforeReload(flush: () => Promise<unknown>): () => void {
  flushes.add(flush);
  return () => flushes.delete(flush);
}

const FLUSH_MS = 1000;

/** Resolves when everything is stored, or after a second: a stuck database must not keep an old version alive. */
async function flushAll(): Promise<void> {
  const all = Promise.allSettled([...flushes].map((flush) => flush()));
  await Promise.race([all, new Promise((resolve) => setTimeout(resolve, FLUSH_MS))]);
}

/** False while something would be lost by a reload; ask again before offering or applying. */
export const canUpdate = () => busy.size === 0;

/** Activates the waiting version; with it every open tab reloads. */
export async function applyUpdate(): Promise<void> {
  const waiting = registration?.waiting;
  if (!waiting || !canUpdate()) return;
  await flushAll();
  waiting.postMessage({ type: 'SKIP_WAITING' });
}

/**
 * A new version has taken over, here or from another tab: this page's chunks are gone, and its database may be
 * another version's soon.
 */
function followUpdate(): void {
  // Signing out takes the worker away altogether; that is no update.
  if (!navigator.serviceWorker.controller) return;
  if (canUpdate()) void flushAll().then(() => location.reload());
  else onceFree(followUpdate);
}

/**
 * Another tab runs a newer version of the app and has taken the database with it: nothing can be stored here any
 * more, so the page loads afresh at once. What was being typed is in the drafts.
 */
export function reloadWhenOutdated(reload: () => void = () => location.reload()): void {
  addEventListener('hw:outdated', reload, { once: true });
}

/** Goes where a tapped notification leads. Call at once: the worker's word waits only until the page is read. */
export function followNotifications(navigate: (path: string) => void): void {
  navigator.serviceWorker?.addEventListener('message', ({ data }) => {
    if (data?.type === 'NAVIGATE' && typeof data.path === 'string') navigate(data.path);
  });
}

/** Registers the worker and asks for updates on load, when shown again and hourly. Call once, after the first paint. */
export async function registerServiceWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  let controlled = navigator.serviceWorker.controller !== null;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    // The first worker of all takes over the page that installed it.
    if (controlled) followUpdate();
    controlled = true;
  });
  registration = await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
  registration.addEventListener('updatefound', followInstalling);
  // It may have begun before this page listened: in another tab, or by the browser itself.
  followInstalling();
  const probe = () => {
    if (document.visibilityState !== 'visible') return;
    if (registration?.waiting && registration.active) offer();
    void registration?.update().catch(() => undefined);
  };
  document.addEventListener('visibilitychange', probe);
  addEventListener('pageshow', probe);
  setInterval(probe, PROBE_MS);
  probe();
}

function followInstalling(): void {
  const worker = registration?.installing;
  worker?.addEventListener('statechange', () => {
    // The first of a registration is no update. The page may still have a controller: signing out takes the
    // registration away, not the worker of an open page.
    if (worker.state === 'installed' && registration?.active) offer();
  });
}
