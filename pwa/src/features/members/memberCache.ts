/** Another member as this device knows them: from their page, else from the lists they stand in. */
import { ApiError, api, unwrap } from '@/api/client.ts';
import type { Compatibility, PublicMember } from '@/api/types.ts';
import type { HeartwardDb } from '@/offline/db.ts';
import { forgottenSince } from '@/offline/forget.ts';
import { withRoom } from '@/offline/room.ts';

type Known = { member: PublicMember; compatibility: Compatibility | null };

export async function readMember(db: HeartwardDb, id: string): Promise<Known | null> {
  const profile = await db.profiles.get(id);
  const row = (await db.feed.get(['forYou', id])) ?? (await db.feed.get(['discover', id]));
  const member = profile?.member ?? row?.candidate;
  return member ? { member, compatibility: row?.candidate.compatibility ?? null } : null;
}

/** Asks the server, which shows nothing of who has left, paused or blocked: then nothing is shown here either. */
export async function fetchMember(db: HeartwardDb, id: string): Promise<void> {
  const since = Date.now();
  try {
    const member = await unwrap(api.GET('/api/users/{id}', { params: { path: { id } } }));
    if (forgottenSince(id, since)) return;
    await withRoom(db, () => db.profiles.put({ id, member, fetchedAt: Date.now() }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) await dropMember(db, id);
    throw error;
  }
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
