/** What changes by time alone: the minute and the day on this device. All users share one timer. */
import { useSyncExternalStore } from 'react';
import { calendarDay } from './format.ts';

const MINUTE_MS = 60_000;

const watchers = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Waits for the full minute, so that a day ends at midnight. */
function schedule(): void {
  clearTimeout(timer);
  timer = setTimeout(update, MINUTE_MS - (Date.now() % MINUTE_MS));
}

function update(): void {
  schedule();
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  if (watchers.size === 0) {
    // The timers of a device that sleeps are late.
    document.addEventListener('visibilitychange', update);
    schedule();
  }
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', update);
  };
}

/** Returns the start of this minute (ms). It changes at the full minute, and when a hidden page is shown again. */
export const useMinute = (): number =>
  useSyncExternalStore(watch, () => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS);

/** Returns the number of today in the calendar of this device (`calendarDay`). It changes at midnight. */
export const useDay = (): number => useSyncExternalStore(watch, () => calendarDay(new Date()));
