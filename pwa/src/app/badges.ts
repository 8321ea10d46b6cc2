import type { Badges } from '@/offline/store/badges.ts';
import { createStore } from '@/ui';

/** The counts in the navigation. They are 0 until the device's database is loaded. */
const badges = createStore<Badges>({ matches: 0, messages: 0 });

export function setBadges(next: Badges): void {
  const { matches, messages } = badges.get();
  if (next.matches !== matches || next.messages !== messages) badges.set(next);
}

export const useBadges = badges.useValue;
