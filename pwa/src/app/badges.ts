import type { Badges } from '@/offline/store/badges.ts';
import { createStore } from '@/ui';

/** The navigation's numbers. The shell draws them before the device's database is loaded, which then fills them. */
const badges = createStore<Badges>({ matches: 0, messages: 0 });

export function setBadges(next: Badges): void {
  const { matches, messages } = badges.get();
  if (next.matches !== matches || next.messages !== messages) badges.set(next);
}

export const useBadges = badges.useValue;
