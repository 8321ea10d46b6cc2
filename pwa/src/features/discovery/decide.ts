/** Liking and passing: stored on the device first, sent by the outbox, gone from the lists at once. */
import type { LikeType, PublicMember } from '@/api/types.ts';
import { enqueue } from '@/offline/outbox/outbox.ts';
import { getDb, type HeartwardDb } from '@/offline/store/db.ts';
import { withQuotaRetry } from '@/offline/store/quota.ts';
import type { FeedRow } from '@/offline/store/rows.ts';
import { spend } from '@/offline/sync/allowance.ts';
import { toast, toastError } from '@/ui';
import { forgetDecision, noteDecision, noteReturn } from './feed.ts';
import { forgetPass, keepPass, passTables, takeBackPass } from './passes.ts';

/** Where the like was given: the grid keeps the card in view, marked; everywhere else it goes. */
type Place = 'grid' | 'deck' | 'profile';

/** What a like is about, a photo or a prompt, and a few words with it. */
export type LikeNote = { comment?: string; photoId?: string; prompt?: string };

/** Stores a like. Rejects, after saying so, when the device cannot store it. */
export async function like(
  member: PublicMember,
  likeType: LikeType,
  place: Place,
  note: LikeNote = {},
): Promise<void> {
  noteDecision(member.id);
  try {
    const db = getDb();
    const stored = await withQuotaRetry(db, () =>
      db.transaction('rw', [...passTables(db), db.profiles], async () => {
        if (await isLiked(db, member.id)) return false;
        await enqueue({ kind: 'like', toUserId: member.id, likeType, ...note });
        await spend(db, likeType);
        await forgetPass(db, member.id);
        // The name and picture for the moment when it turns out to be a match.
        const compatibility = await compatibilityOf(db, member.id);
        await db.profiles.put({ id: member.id, member, compatibility, fetchedAt: Date.now() });
        await db.feed.delete(['forYou', member.id]);
        if (place === 'grid') await db.feed.update(['discover', member.id], { liked: likeType });
        else await db.feed.delete(['discover', member.id]);
        return true;
      }),
    );
    if (!stored) return;
  } catch (error) {
    forgetDecision(member.id);
    toastError('Failed to send like. Please try again.');
    throw error;
  }
  navigator.vibrate?.(12);
  if (!navigator.onLine) {
    toast({ title: 'Like saved', description: "You're offline. We'll send it later." });
  }
}

/** As the device knows it, from the profile or from a list. */
async function compatibilityOf(db: HeartwardDb, id: string) {
  const row = (await db.feed.get(['forYou', id])) ?? (await db.feed.get(['discover', id]));
  return (await db.profiles.get(id))?.compatibility ?? row?.candidate.compatibility;
}

/** Liked a moment ago, before the button that was tapped again could be drawn as used. */
async function isLiked(db: HeartwardDb, id: string): Promise<boolean> {
  const likes = db.outbox.filter(
    ({ body, state }) => body.kind === 'like' && body.toUserId === id && state !== 'failed',
  );
  return (await likes.count()) > 0;
}

/** Stores a pass. Rejects, after saying so, when the device cannot store it. */
export async function pass(member: PublicMember): Promise<void> {
  noteDecision(member.id);
  try {
    const db = getDb();
    await withQuotaRetry(db, () =>
      db.transaction('rw', passTables(db), async () => {
        await keepPass(db, member.id, await enqueue({ kind: 'pass', targetUserId: member.id }));
        await db.feed.bulkDelete([
          ['forYou', member.id],
          ['discover', member.id],
        ]);
      }),
    );
  } catch (error) {
    forgetDecision(member.id);
    toastError('Failed to pass. Please try again.');
    throw error;
  }
}

/** Takes the last pass back, here and at the server. Null, after saying so, when that is not possible. */
export async function undoPass(): Promise<FeedRow | null> {
  try {
    const db = getDb();
    // Dexie follows awaits only where the callback is an async function.
    const row = await withQuotaRetry(db, () =>
      db.transaction('rw', passTables(db), async () => takeBackPass(db)),
    );
    if (row) noteReturn(row.id);
    return row;
  } catch {
    toastError('We could not bring that card back. Please try again.');
    return null;
  }
}
