/** Likes and passes. They are stored in the outbox; the member's cards are removed, or marked as liked, at once. */
import type { LikeType, MemberCard } from '@/api/types.ts';
import { reduceAllowance } from '@/domain/allowance.ts';
import { storeCard } from '@/domain/memberCache.ts';
import { enqueue } from '@/offline/outbox/outbox.ts';
import { getDb, type HeartwardDb } from '@/offline/store/db.ts';
import { withQuotaRetry } from '@/offline/store/quota.ts';
import type { FeedRow } from '@/offline/store/rows.ts';
import { toast, toastError } from '@/ui';
import { decisions } from './feed.ts';
import { passTables, removePass, restoreLastPass, storePass } from './passes.ts';

/** Where the like was given. In the grid the card stays, marked; elsewhere it is removed. */
type Origin = 'grid' | 'deck' | 'profile';

/** The photo or prompt that a like is about, and a comment. */
export type LikeNote = { comment?: string; photoId?: string; prompt?: string };

/** Stores a like. Shows a toast and rejects when the device cannot store it. */
export async function like(
  member: MemberCard,
  likeType: LikeType,
  origin: Origin,
  note: LikeNote = {},
): Promise<void> {
  try {
    const db = getDb();
    const stored = await withQuotaRetry(db, () =>
      db.transaction('rw', [...passTables(db), db.profiles], async () => {
        decisions.markRemoved(member.id);
        if (await isLiked(db, member.id)) return false;
        await enqueue({ kind: 'like', toUserId: member.id, likeType, ...note });
        await reduceAllowance(db, likeType);
        await removePass(db, member.id);
        // The name and picture for the celebration, should it be a match.
        const compatibility = await compatibilityOf(db, member.id);
        await storeCard(db, member, compatibility);
        await db.feed.delete(['forYou', member.id]);
        if (origin === 'grid') await db.feed.update(['discover', member.id], { liked: likeType });
        else await db.feed.delete(['discover', member.id]);
        return true;
      }),
    );
    if (!stored) return;
  } catch (error) {
    decisions.unmark(member.id);
    toastError('Failed to send like. Please try again.');
    throw error;
  }
  navigator.vibrate?.(12);
  if (!navigator.onLine) {
    toast({ title: 'Like saved', description: "You're offline. We'll send it later." });
  }
}

/** Returns the stored compatibility, from the profile or from a list. */
async function compatibilityOf(db: HeartwardDb, id: string) {
  const row = (await db.feed.get(['forYou', id])) ?? (await db.feed.get(['discover', id]));
  return (await db.profiles.get(id))?.compatibility ?? row?.candidate.compatibility;
}

/** Whether a like is already in the outbox: the button may be tapped again before it is disabled. */
async function isLiked(db: HeartwardDb, id: string): Promise<boolean> {
  const likes = db.outbox.filter(
    ({ body, state }) => body.kind === 'like' && body.toUserId === id && state !== 'failed',
  );
  return (await likes.count()) > 0;
}

/** Stores a pass. Shows a toast and rejects when the device cannot store it. */
export async function pass(member: Pick<MemberCard, 'id'>): Promise<void> {
  try {
    const db = getDb();
    await withQuotaRetry(db, () =>
      db.transaction('rw', passTables(db), async () => {
        decisions.markRemoved(member.id);
        await storePass(db, member.id, await enqueue({ kind: 'pass', targetUserId: member.id }));
        await db.feed.bulkDelete([
          ['forYou', member.id],
          ['discover', member.id],
        ]);
      }),
    );
  } catch (error) {
    decisions.unmark(member.id);
    toastError('Failed to pass. Please try again.');
    throw error;
  }
}

/** Undoes the last pass. Returns null if there is none, or after a toast if it fails. */
export async function undoPass(): Promise<FeedRow | null> {
  try {
    const db = getDb();
    // Dexie keeps its transaction across awaits only in an async callback.
    const row = await withQuotaRetry(db, () =>
      db.transaction('rw', passTables(db), async () => restoreLastPass(db)),
    );
    if (row) decisions.markAdded(row.id);
    return row;
  } catch {
    toastError('We could not bring that card back. Please try again.');
    return null;
  }
}
