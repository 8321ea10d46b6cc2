/** Another member as this device knows them: from their page, else from the lists they stand in. */
import { api, unwrap } from '@/api/client.ts';
import { ApiError } from '@/api/request.ts';
import type { Compatibility, PublicMember } from '@/api/types.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { purgedSince } from '@/offline/store/purge.ts';
import { withQuotaRetry } from '@/offline/store/quota.ts';
import { withTimeout } from '@/offline/store/withTimeout.ts';

type Known = { member: PublicMember; compatibility: Compatibility | null };

export async function readMember(db: HeartwardDb, id: string): Promise<Known | null> {
  const profile = await db.profiles.get(id);
  const row = (await db.feed.get(['forYou', id])) ?? (await db.feed.get(['discover', id]));
  const member = profile?.member ?? row?.candidate;
  const compatibility = profile?.compatibility ?? row?.candidate.compatibility ?? null;
  return member ? { member, compatibility } : null;
}

/**
 * Fetches the member and how well the two fit, and stores both in one step: nothing is inserted into a profile that is
 * being read. The server shows nothing of a member who has left, paused or blocked; then nothing is shown here either.
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

/** So long the profile waits for the compatibility. */
const COMPATIBILITY_MS = 3000;

/** Without a response in time, the one that this device knows, if any: the profile is shown nevertheless. */
async function fetchCompatibility(db: HeartwardDb, userId: string): Promise<Compatibility | undefined> {
  if (userId === db.memberId) return undefined;
  const answer = unwrap(api.GET('/api/compatibility/{userId}', { params: { path: { userId } } }));
  const known = async () => (await readMember(db, userId))?.compatibility ?? undefined;
  return (await withTimeout(answer, COMPATIBILITY_MS)) ?? known();
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
