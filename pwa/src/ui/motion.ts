import { loadWithRetry, useLoaded } from './lazyWithRetry.ts';
import { useMediaQuery } from './useMediaQuery.ts';

/** The elements outside the deck that the animation library moves. */
export const movers = loadWithRetry(() => import('./movers.tsx'));

const touched = new Promise<unknown>((resolve) => {
  for (const type of ['pointerdown', 'keydown'])
    addEventListener(type, resolve, { capture: true, once: true, passive: true });
});

/** Resolves when the member has touched the page and the browser is idle again: no screen waits for the library. */
async function afterTouch(): Promise<void> {
  await touched;
  await new Promise<unknown>((resolve) =>
    typeof requestIdleCallback === 'function' ? requestIdleCallback(resolve) : setTimeout(resolve, 200),
  );
}

/** Returns what moves elements; null before it is loaded, and for members who want less motion. */
export function useMovers() {
  const isReduced = useMediaQuery('(prefers-reduced-motion: reduce)');
  const isLoaded = useLoaded(movers, afterTouch, !isReduced);
  return isLoaded && !isReduced ? (movers.loaded() ?? null) : null;
}
