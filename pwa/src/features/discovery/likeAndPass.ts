/** Likes and passes of candidates. */
import type { LikeType, MemberCard } from '@/api/types.ts';
import { decide, type LikeNote, undoPass } from '@/domain/decide.ts';
import { storeCard } from '@/domain/memberCache.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { FeedRow } from '@/offline/store/rows.ts';
import { toast, toastError } from '@/ui';
import { restoreLastPass, storePass } from './undoablePasses.ts';

/** Where the like was given. In the grid the card stays, marked; elsewhere it is removed. */
type Origin = 'grid' | 'deck' | 'profile';

/** Stores a like. Shows a toast and rejects when the device cannot store it. */
export async function like(
  db: HeartwardDb,
  member: MemberCard,
  likeType: LikeType,
  origin: Origin,
  note: LikeNote = {},
): Promise<void> {
  const { id } = member;
  const decision = { kind: 'like', likeType, note, staysInGrid: origin === 'grid' } as const;
  const stored = await decide(db, id, decision, {
    isUndecided: async () => !(await isLiked(db, id)),
    // The name and picture for the celebration, should it be a match.
    change: async () => storeCard(db, member, await compatibilityOf(db, id)),
  });
  if (stored === null) return;
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

/** Whether a like is already in the outbox. */
async function isLiked(db: HeartwardDb, id: string): Promise<boolean> {
  const likes = db.outbox.filter(
    ({ body, state }) => body.kind === 'like' && body.toUserId === id && state !== 'failed',
  );
  return (await likes.count()) > 0;
}

/** Stores a pass. Shows a toast and rejects when the device cannot store it. */
export async function pass(db: HeartwardDb, { id }: Pick<MemberCard, 'id'>): Promise<void> {
  await decide(db, id, { kind: 'pass' }, { change: (_, passId) => storePass(db, id, passId) });
}

/** Undoes the last pass in the deck. Returns its card, or null if there is none, or after a toast if it fails. */
export async function undoLastPass(db: HeartwardDb): Promise<FeedRow | null> {
  try {
    const undone = await undoPass(db, restoreLastPass);
    return undone?.pass.row ?? null;
  } catch {
    toastError('We could not bring that card back. Please try again.');
    return null;
  }
}
