import { useCallback, useSyncExternalStore } from 'react';

/** The longest delay of a timer in browsers: 24.8 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Returns the value of `read`, which changes at `time`. `time` is null for a value that does not change by itself. */
export function useValueUntil<T>(time: string | null, read: () => T): T {
  const subscribe = useCallback(
    (notify: () => void) => {
      const left = time ? Date.parse(time) - Date.now() : 0;
      if (left <= 0 || left > MAX_TIMER_MS) return () => undefined;
      const timer = setTimeout(notify, left);
      return () => clearTimeout(timer);
    },
    [time],
  );
  return useSyncExternalStore(subscribe, read);
}
