/**
 * The page's side of the service worker. An update never takes over by itself:
 * `onUpdateReady` offers it, and the member applies it when nothing is half
 * written. Light: imported at the start.
 */
const PROBE_MS = 60 * 60_000;

let registration: ServiceWorkerRegistration | undefined;
const listeners = new Set<() => void>();
let offered = false;

function offer(): void {
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

/** Someone types, uploads or records: no reload until the returned function is called. */
export function holdUpdate(): () => void {
  const token = Symbol('busy');
  busy.add(token);
  return () => {
    busy.delete(token);
  };
}

/** False while something would be lost by a reload; ask again before offering or applying. */
export const canUpdate = () => busy.size === 0;

/** Activates the waiting version; with it every open tab reloads. */
export function applyUpdate(): void {
  const waiting = registration?.waiting;
  if (!waiting || !canUpdate()) return;
  waiting.postMessage({ type: 'SKIP_WAITING' });
}

/**
 * A new version has taken over, here or from another tab: this page's chunks are gone, and its database may be
 * another version's soon.
 */
function followUpdate(): void {
  // Signing out takes the worker away altogether; that is no update.
  if (!navigator.serviceWorker.controller) return;
  if (canUpdate()) location.reload();
  else setTimeout(followUpdate, 2000);
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
  if (registration.waiting && navigator.serviceWorker.controller) offer();
  registration.addEventListener('updatefound', followInstalling);
  const probe = () => document.visibilityState === 'visible' && registration?.update().catch(() => undefined);
  document.addEventListener('visibilitychange', probe);
  addEventListener('pageshow', probe);
  setInterval(probe, PROBE_MS);
  probe();
}

function followInstalling(): void {
  const worker = registration?.installing;
  worker?.addEventListener('statechange', () => {
    // Without a controller this is the first install and not an update.
    if (worker.state === 'installed' && navigator.serviceWorker.controller) offer();
  });
}
