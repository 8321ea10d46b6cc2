/** The playback speed of recordings on this device. */
import { useSyncExternalStore } from 'react';
import { storageKeys } from '@/session/storage.ts';

const speeds = [1, 1.25, 1.5, 2];
const watchers = new Set<() => void>();

export function currentSpeed(): number {
  const stored = Number(localStorage.getItem(storageKeys.speed));
  return speeds.includes(stored) ? stored : 1;
}

/** Switches to the next faster speed, and from the fastest to 1×. */
export function nextSpeed(): void {
  const index = speeds.indexOf(currentSpeed());
  localStorage.setItem(storageKeys.speed, String(speeds[(index + 1) % speeds.length]));
  for (const watcher of watchers) watcher();
}

const subscribe = (watcher: () => void) => {
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
  };
};

export const useSpeed = (): number => useSyncExternalStore(subscribe, currentSpeed);
