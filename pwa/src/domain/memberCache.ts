/** A member as stored on the device: from their profile, or the fields of a card from a list. */
import { api, describeLoadError, unwrap } from '@/api/client.ts';
import { ApiError } from '@/api/request.ts';
import type { Compatibility, MemberCard, PublicMember, StrangerView } from '@/api/types.ts';
import { profileOfCard } from '@/domain/profile/profileOfCard.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { purgedSince } from '@/offline/store/purge.ts';
import { withQuotaRetry } from '@/offline/store/quota.ts';
import { withTimeout } from '@/offline/store/withTimeout.ts';

type StoredMember = {
  member: PublicMember;
  /** Whether only the fields of a card are stored; the others are empty. */
  isCard: boolean;
  compatibility: Compatibility | null;
  /** Who can see it now; null for the profiles of others. */
  shownTo: StrangerView['shownTo'] | null;
};

export async function readMember(db: HeartwardDb, id: string): Promise<StoredMember | null> {
  const profile = await db.profiles.get(id);
  const row = (await db.feed.get(['forYou', id])) ?? (await db.feed.get(['discover', id]));
  const compatibility = profile?.compatibility ?? row?.candidate.compatibility ?? null;
  if (profile && !profile.isCard)
    return { member: profile.member, isCard: false, compatibility, shownTo: profile.shownTo ?? null };
  // The card of a list is newer than that of a like, which removes the former.
  const card = row?.candidate ?? profile?.member;
  return card ? { member: profileOfCard(card), isCard: true, compatibility, shownTo: null } : null;
}

/** Stores the fields of a card, unless the whole profile is stored. */
export async function storeCard(
  db: HeartwardDb,
  member: MemberCard,
  compatibility?: Compatibility,
): Promise<void> {
  const stored = await db.profiles.get(member.id);
  if (stored && !stored.isCard) return;
  await db.profiles.put({ id: member.id, member, isCard: true, compatibility, fetchedAt: Date.now() });
}

/** Returns why only the fields of a card are shown, after a request for the profile has failed. */
export function describeMissingRest(error: unknown): string {
  const isRejected = error instanceof ApiError && error.status > 0;
  return isRejected ? describeLoadError(error) : 'The rest of this profile loads when you are online.';
}

/** Fetches a profile. The member's own is fetched as others see it. */
async function fetchProfile(
  db: HeartwardDb,
  id: string,
): Promise<{ member: PublicMember; shownTo?: StrangerView['shownTo'] }> {
  if (id === db.memberId) return unwrap(api.GET('/api/users/me/as-stranger'));
  return { member: await unwrap(api.GET('/api/users/{id}', { params: { path: { id } } })) };
}

/**
 * Fetches the member and the compatibility and stores both in one write, so that nothing is inserted into a profile
 * that is being read. A member whom the viewer may not see any more, such as one who has left, is a 404 and is removed
 * from the device.
 */
export async function fetchMember(db: HeartwardDb, id: string): Promise<void> {
  const since = Date.now();
  const compatibility = fetchCompatibility(db, id);
  try {
    const profile = await fetchProfile(db, id);
    const row = { id, ...profile, compatibility: await compatibility, fetchedAt: Date.now() };
    if (purgedSince(db, id, since)) return;
    await withQuotaRetry(db, () => db.profiles.put(row));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) await dropMember(db, id);
    throw error;
  }
}

/** How long the profile waits for the compatibility. */
const COMPATIBILITY_WAIT_MS = 3000;

/** Returns the compatibility, or the stored one if there is no response in time. */
async function fetchCompatibility(db: HeartwardDb, userId: string): Promise<Compatibility | undefined> {
  if (userId === db.memberId) return undefined;
  const request = unwrap(api.GET('/api/compatibility/{userId}', { params: { path: { userId } } }));
  const readStored = async () => (await readMember(db, userId))?.compatibility ?? undefined;
  return (await withTimeout(request, COMPATIBILITY_WAIT_MS)) ?? readStored();
}

async function dropMember(db: HeartwardDb, id: string): Promise<void> {
  await db.transaction('rw', db.profiles, db.feed, async () => {
    await db.profiles.delete(id);
    await db.feed.bulkDelete([
      ['forYou', id],
      ['discover', id],
    ]);
  });
}
