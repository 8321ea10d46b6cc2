/** How fast recordings are played on this device. */
import { useSyncExternalStore } from 'react';
import { storageKeys } from '@/session/storage.ts';

const speeds = [1, 1.25, 1.5, 2];
const watchers = new Set<() => void>();

export function speedNow(): number {
  const kept = Number(localStorage.getItem(storageKeys.speed));
  return speeds.includes(kept) ? kept : 1;
}

/** The next faster one; after the fastest the usual one again. */
export function nextSpeed(): void {
  const place = speeds.indexOf(speedNow());
  localStorage.setItem(storageKeys.speed, String(speeds[(place + 1) % speeds.length]));
  for (const watcher of watchers) watcher();
}

const subscribe = (watcher: () => void) => {
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
  };
};

export const useSpeed = (): number => useSyncExternalStore(subscribe, speedNow);
