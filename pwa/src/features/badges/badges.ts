/** The badges and the member's progress, mirrored on the device. */

import { useEffect } from 'react';
import { api, unwrap } from '@/api/client.ts';
import type { BadgeProgress, UserBadge } from '@/api/types.ts';
import { part } from '@/base/pageSession.ts';
import { useSocket } from '@/live/sessionSocket.ts';
import { enqueue, outboxTables } from '@/offline/outbox/outbox.ts';
import { useCached } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, type StoredBadges, setMeta } from '@/offline/store/meta.ts';
import { queryClient } from '@/session/query.ts';

const key = ['badges'];

/** The badges of the member; fetched again when they have changed. */
export function useBadgeList(memberId: string) {
  const socket = useSocket();
  useEffect(() => {
    const invalidate = () => void queryClient.invalidateQueries({ queryKey: ['refresh', ...key] });
    // Events may have been missed before `identified`.
    return socket.onAny(['badges_changed', 'identified'], invalidate);
  }, [socket]);
  return useCached<StoredBadges | null>({
    key,
    read: async (db) => (await getMeta(db, 'badges')) ?? null,
    refresh: (db, signal) => refreshBadges(db, memberId, signal),
    staleMs: 0,
  });
}

async function refreshBadges(db: HeartwardDb, memberId: string, signal: AbortSignal): Promise<void> {
  const path = { userId: memberId };
  // First the check, so that the lists contain what it has awarded.
  await unwrap(api.POST('/api/badges/check/{userId}', { params: { path }, signal }));
  const [all, earned] = await Promise.all([
    unwrap(api.GET('/api/badges', { signal })),
    unwrap(api.GET('/api/badges/user/{userId}', { params: { path }, signal })),
  ]);
  await db.transaction('rw', db.meta, db.outbox, async () => {
    const closing = new Set<string>();
    await db.outbox.each(({ body }) => {
      if (body.kind === 'badge') closing.add(body.badgeId);
    });
    await setMeta(db, 'badges', { all: all ?? [], earned: withClosed(earned ?? [], closing) });
  });
}

/** Marks badges whose closed celebration the server has not been told of. */
const withClosed = (earned: UserBadge[], closing: Set<string>): UserBadge[] =>
  earned.map((badge) => (closing.has(badge.badgeId) ? { ...badge, notified: true } : badge));

/** The badges whose celebration was closed in this tab, by badge: the database is behind for a moment. */
const closedOf = part(() => new Set<string>());

/** Stores that the member has closed a badge's celebration, and tells the server, later if the device is offline. */
export async function closeBadge(db: HeartwardDb, badgeId: string): Promise<void> {
  closedOf(db).add(badgeId);
  await db.transaction('rw', [db.meta, ...outboxTables(db)], async () => {
    const stored = await getMeta(db, 'badges');
    if (stored) {
      await setMeta(db, 'badges', { ...stored, earned: withClosed(stored.earned, new Set([badgeId])) });
    }
    await enqueue(db, { kind: 'badge', badgeId });
  });
}

/** Whether the celebration of a badge waits. */
export async function isNew(db: HeartwardDb, badgeId: string): Promise<boolean> {
  if (closedOf(db).has(badgeId)) return false;
  const stored = await getMeta(db, 'badges');
  return stored?.earned.some((badge) => badge.badgeId === badgeId && !badge.notified) ?? false;
}

export const categories = [
  { key: 'profile', title: 'Profile', text: 'Show who you are.' },
  { key: 'social', title: 'Social', text: 'Like, and be liked.' },
  { key: 'engagement', title: 'Engagement', text: 'Talk, and keep talking.' },
  { key: 'referral', title: 'Referral', text: 'Bring your friends.' },
] as const satisfies { key: BadgeProgress['category']; title: string; text: string }[];

/** A badge with what the member has of it. */
export type ListedBadge = BadgeProgress & { earned: UserBadge | undefined; percent: number };

/** Returns the badges in their order, each with its earned row. */
export function listBadges({ all, earned }: StoredBadges): ListedBadge[] {
  const byId = new Map(earned.map((badge) => [badge.badgeId, badge]));
  return all.map((badge) => {
    const row = byId.get(badge.id);
    return { ...badge, earned: row, percent: row ? 100 : percentOf(badge.count, badge.needed) };
  });
}

/** Returns a progress below 100: the badge is not earned before the server says so. */
export const percentOf = (count: number, needed: number): number =>
  Math.min(99, Math.floor((100 * count) / needed));
