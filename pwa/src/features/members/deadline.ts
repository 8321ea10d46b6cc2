import { useCallback, useSyncExternalStore } from 'react';

/** The longest delay of a timer in browsers: 24.8 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Returns the value of `read`, which changes at `time`. `time` is null for a value that does not change by itself. */
export function useUntil<T>(time: string | null, read: () => T): T {
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

/** Returns "today", "tomorrow", "Friday", "December 4" or "January 4, 2027". */
export function formatEndDay(end: Date, now: Date): string {
  const midnight = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  const days = Math.round((midnight(end) - midnight(now)) / 86_400_000);
  if (days === 0) return 'today';
  if (days === 1) return 'tomorrow';
  if (days > 1 && days < 7) return end.toLocaleDateString(locale, { weekday: 'long' });
  const year = end.getFullYear() === now.getFullYear() ? undefined : 'numeric';
  return end.toLocaleDateString(locale, { month: 'long', day: 'numeric', year });
}

const locale = 'en-US';
