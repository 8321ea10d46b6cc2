import { createEmitter } from '@/base/store.ts';

/** How long work waits for the first screen, and after it for an idle browser. */
const MAX_WAIT_MS = 1500;
/** How long it waits in browsers without requestIdleCallback, such as Safari. */
const FIXED_WAIT_MS = 200;

const firstScreen = createEmitter();
const drawn = new Promise<void>((resolve) => void firstScreen.subscribe(resolve));

/** Tells that the first screen shows its data. */
export function firstScreenShown(): void {
  // In the second frame, because the first one has not been drawn when it begins.
  requestAnimationFrame(() => requestAnimationFrame(() => firstScreen.emit()));
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Resolves when the first screen after a start has been drawn, at the latest after this time. */
export const whenDrawn = (maxWaitMs: number): Promise<void> => Promise.race([drawn, wait(maxWaitMs)]);

/**
 * Resolves when the first screen after a start has been drawn and the browser is idle, at the latest after 3 seconds.
 * For work that no screen waits for. A browser that waits for the database is idle too, so that alone is not enough.
 */
export async function whenIdle(): Promise<void> {
  await whenDrawn(MAX_WAIT_MS);
  if (typeof requestIdleCallback !== 'function') return wait(FIXED_WAIT_MS);
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: MAX_WAIT_MS }));
}
