const reloadedKey = 'hw.reloaded';
const onceInMs = 60_000;

/** After a release an open page may ask for chunks that are gone: load the new page, at most once a minute. */
export function reloadOnMissingChunk(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(reloadedKey));
    if (!navigator.onLine || Date.now() - last < onceInMs) return;
    event.preventDefault();
    sessionStorage.setItem(reloadedKey, String(Date.now()));
    location.reload();
  });
}

/** The browser animates its own swipe-back; a second animation on top would stutter. */
export function yieldToBrowserTransitions(): void {
  addEventListener('popstate', (event) => {
    document.documentElement.toggleAttribute('data-ua-transition', event.hasUAVisualTransition);
  });
}

/**
 * The page's policy lets no text become a script. The one script address the app hands over itself is its
 * own service worker's.
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
