const reloadedKey = 'hw.reloaded';
const onceInMs = 60_000;

/**
 * After a release an open page may ask for chunks that are gone: load the new page, at most once a minute. Any other
 * failure is left alone: Firefox aborts a page's requests when another page is opened, and a reload would cancel that.
 */
export function reloadOnMissingChunk(): void {
  addEventListener('vite:preloadError', async ({ payload }) => {
    if (Date.now() - Number(sessionStorage.getItem(reloadedKey)) < onceInMs || !(await isGone(payload)))
      return;
    sessionStorage.setItem(reloadedKey, String(Date.now()));
    location.reload();
  });
}

/** Whether the server no longer has the chunk; the page's own script stands for it where the error names none. */
async function isGone({ message }: Error): Promise<boolean> {
  const script = document.querySelector<HTMLScriptElement>('script[type=module][src]');
  const url = /\S*\/assets\/\S+/.exec(message)?.[0] ?? script?.src ?? '';
  const answer = await fetch(url, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  return answer?.status === 404;
}

/** The browser animates its own swipe-back; a second animation on top would stutter. */
export function yieldToBrowserTransitions(): void {
  addEventListener('popstate', (event) => {
    // Undefined where the browser does not know it, which would toggle.
    document.documentElement.toggleAttribute('data-ua-transition', event.hasUAVisualTransition === true);
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
