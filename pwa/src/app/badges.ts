import { createStore } from '@/ui';

/** What the navigation counts. Filled from the device's data once that has loaded. */
export type Badges = { matches: number; messages: number };

const badges = createStore<Badges>({ matches: 0, messages: 0 });

export function setBadges(next: Badges): void {
  const { matches, messages } = badges.get();
  if (next.matches !== matches || next.messages !== messages) badges.set(next);
}

export const useBadges = badges.useValue;
