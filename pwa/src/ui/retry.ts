/** How often something is requested again while the device seems to be online, and the first interval, which doubles. */
const MAX_RETRIES = 5;
const FIRST_RETRY_MS = 2000;

/**
 * Calls `retry` once the device is online again. If it seems to be online, as on a weak network or when that event has
 * just passed, it calls `retry` also after an interval that doubles with `tries`, the number of calls before. Returns a
 * function that cancels both.
 */
export function scheduleRetry(tries: number, retry: () => void): () => void {
  addEventListener('online', retry, { once: true });
  const timer =
    navigator.onLine && tries < MAX_RETRIES ? setTimeout(retry, FIRST_RETRY_MS * 2 ** tries) : undefined;
  return () => {
    removeEventListener('online', retry);
    clearTimeout(timer);
  };
}
