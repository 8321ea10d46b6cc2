/** A member as stored on the device: from their profile, or from a list. */
import { api, unwrap } from '@/api/client.ts';
import { ApiError } from '@/api/request.ts';
import type { Compatibility, PublicMember } from '@/api/types.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { purgedSince } from '@/offline/store/purge.ts';
import { withQuotaRetry } from '@/offline/store/quota.ts';
import { withTimeout } from '@/offline/store/withTimeout.ts';

type StoredMember = { member: PublicMember; compatibility: Compatibility | null };

export async function readMember(db: HeartwardDb, id: string): Promise<StoredMember | null> {
  const profile = await db.profiles.get(id);
  const row = (await db.feed.get(['forYou', id])) ?? (await db.feed.get(['discover', id]));
  const member = profile?.member ?? row?.candidate;
  const compatibility = profile?.compatibility ?? row?.candidate.compatibility ?? null;
  return member ? { member, compatibility } : null;
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
    const member = await unwrap(api.GET('/api/users/{id}', { params: { path: { id } } }));
    const row = { id, member, compatibility: await compatibility, fetchedAt: Date.now() };
    if (purgedSince(id, since)) return;
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
