const RELOADED_KEY = 'hw.reloaded';
const RELOAD_INTERVAL_MS = 60_000;

/**
 * Reloads the page, at most once a minute, when a chunk was removed by a release. Other failures are ignored: Firefox
 * aborts a page's requests when another page is opened, and a reload would cancel that navigation.
 */
export function reloadOnMissingChunk(): void {
  addEventListener('vite:preloadError', async ({ payload }) => {
    if (
      Date.now() - Number(sessionStorage.getItem(RELOADED_KEY)) < RELOAD_INTERVAL_MS ||
      !(await isRemoved(payload))
    )
      return;
    sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
    location.reload();
  });
}

/** Whether the server lacks the chunk, or the page's own script if the error names no chunk. */
async function isRemoved({ message }: Error): Promise<boolean> {
  const script = document.querySelector<HTMLScriptElement>('script[type=module][src]');
  const url = /\S*\/assets\/\S+/.exec(message)?.[0] ?? script?.src ?? '';
  const response = await fetch(url, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  return response?.status === 404;
}

/** Turns off view transitions when the browser animates its own swipe-back. */
export function yieldToBrowserTransitions(): void {
  addEventListener('popstate', (event) => {
    // Compared with true, because toggleAttribute toggles for undefined.
    document.documentElement.toggleAttribute('data-ua-transition', event.hasUAVisualTransition === true);
  });
}

/**
 * Ignores that the browser ends a view transition early, as it does when a slow device draws the new screen too late: the
 * screen is shown without an animation. The router would report it as an unhandled error.
 */
export function ignoreSkippedTransitions(): void {
  const start = document.startViewTransition?.bind(document);
  if (!start) return;
  document.startViewTransition = (update) => {
    const transition = start(update);
    const ready = transition.ready.catch(() => undefined);
    return Object.defineProperty(transition, 'ready', { value: ready });
  };
}

/**
 * Allows the service worker's address as a script URL. The content policy requires Trusted Types, and the app passes no
 * other script address to the browser.
 */
export function allowOwnWorker(): void {
  const policies = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
  policies?.createPolicy('default', {
    createScriptURL: (address) => (address === '/sw.js' ? address : null),
  });
}

type TrustedTypes = {
  createPolicy(name: string, rules: { createScriptURL: (address: string) => string | null }): unknown;
};
