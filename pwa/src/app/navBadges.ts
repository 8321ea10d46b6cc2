import { type InSession, part, useSession } from '@/base/pageSession.ts';
import { createStore } from '@/base/store.ts';
import type { Badges as Counts } from '@/offline/store/badgeCounts.ts';

/** `profile` is whether the member has a new badge. */
export type Badges = Counts & { profile: boolean };

const keys = ['matches', 'messages', 'notifications', 'profile'] as const;

/** The counts in the navigation. They are 0 until the device's database is loaded. */
const badgesOf = part(() =>
  createStore<Badges>({ matches: 0, messages: 0, notifications: 0, profile: false }),
);

export function setBadges(owner: InSession, next: Badges): void {
  const badges = badgesOf(owner);
  const current = badges.get();
  if (keys.some((key) => next[key] !== current[key])) badges.set(next);
}

export const useBadges = (): Badges => badgesOf(useSession()).useValue();
