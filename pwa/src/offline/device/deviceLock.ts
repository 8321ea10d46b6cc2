const TIMEOUT_MS = 3000;

/**
 * Runs work under a lock of all tabs. Runs it without the lock after TIMEOUT_MS, because a frozen tab may hold the lock, and in
 * browsers without locks.
 */
export function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (!navigator.locks) return work();
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
  let granted = false;
  const run = () => {
    granted = true;
    clearTimeout(timer);
    return work();
  };
  return navigator.locks.request(name, { signal: controller.signal }, run).catch((error: unknown) => {
    if (granted) throw error;
    return run();
  });
}

/** Runs work alone in all tabs, so that a late wipe does not delete the database of a member who signed in after it. */
export const withDeviceLock = (work: () => Promise<void>): Promise<void> => withLock('hw-device', work);
