/**
 * The text of a public page that the server wrote into the document (`#boot[data-served]`). It stays on the screen until
 * the app shows the page itself, so that what is being read does not vanish into a loading screen.
 */
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';

let served = document.querySelector<HTMLElement>('#boot[data-served]');
const path = location.pathname;
// boot.js deletes the cached shell if #boot is still in the page long after its load.
served?.removeAttribute('id');

/** Returns the server's text while it has not been replaced, else `otherwise`. */
export function ServedText({ otherwise }: { otherwise: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (served) box.current?.replaceChildren(served);
  });
  if (location.pathname !== path) served = null;
  return served ? <div ref={box} /> : otherwise;
}

/**
 * Returns whether a page should still show the server's text, because it has nothing of its own to show. Once it `isReady`
 * the text is gone for good.
 */
export function useServedText(isReady: boolean): boolean {
  useEffect(() => {
    if (isReady) served = null;
  }, [isReady]);
  return !isReady && served !== null && location.pathname === path;
}
