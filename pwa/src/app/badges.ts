import { useSyncExternalStore } from 'react';

/** What the navigation counts. Filled from the device's data once that has loaded. */
export type Badges = { matches: number; messages: number };

let badges: Badges = { matches: 0, messages: 0 };
const watchers = new Set<() => void>();

export function setBadges(next: Badges): void {
  if (next.matches === badges.matches && next.messages === badges.messages) return;
  badges = next;
  for (const watcher of watchers) watcher();
}

export function useBadges(): Badges {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => badges,
  );
}
