/** How long work waits for the browser to be idle. */
const MAX_WAIT_MS = 1500;
/** How long it waits in browsers without requestIdleCallback, such as Safari. */
const FIXED_WAIT_MS = 200;

/** Resolves when the browser is idle, at the latest after 1.5 seconds. For work that no screen waits for. */
export const whenIdle = (): Promise<void> =>
  new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function')
      requestIdleCallback(() => resolve(), { timeout: MAX_WAIT_MS });
    else setTimeout(resolve, FIXED_WAIT_MS);
  });
