/** Liking and passing: stored on the device first, sent by the outbox, gone from the lists at once. */
import type { LikeType, PublicMember } from '@/api/types.ts';
import { getDb } from '@/offline/db.ts';
import { enqueue, outboxTables } from '@/offline/outbox.ts';
import { toast } from '@/ui';
import { forgetDecision, noteDecision } from './feed.ts';

/** Where the like was given: the grid keeps the card in view, marked; everywhere else it goes. */
type Place = 'grid' | 'deck' | 'profile';

/** Stores a like. Rejects, after saying so, when the device cannot store it. */
export async function like(member: PublicMember, likeType: LikeType, place: Place): Promise<void> {
  noteDecision(member.id);
  try {
    const db = getDb();
    await db.transaction('rw', [...outboxTables(db), db.feed, db.profiles], async () => {
      await enqueue({ kind: 'like', toUserId: member.id, likeType });
      // The name and picture for the moment when it turns out to be a match.
      await db.profiles.put({ id: member.id, member, fetchedAt: Date.now() });
      await db.feed.delete(['forYou', member.id]);
      if (place === 'grid') await db.feed.update(['discover', member.id], { liked: likeType });
      else await db.feed.delete(['discover', member.id]);
    });
  } catch (error) {
    forgetDecision(member.id);
    toast({ title: 'Error', description: 'Failed to send like. Please try again.', variant: 'destructive' });
    throw error;
  }
  navigator.vibrate?.(12);
  if (!navigator.onLine) {
    toast({ title: 'Like saved', description: "You're offline. We'll send it later." });
  }
}

/** Stores a pass. Rejects, after saying so, when the device cannot store it. */
export async function pass(member: PublicMember): Promise<void> {
  noteDecision(member.id);
  try {
    const db = getDb();
    await db.transaction('rw', [...outboxTables(db), db.feed], async () => {
      await enqueue({ kind: 'pass', targetUserId: member.id });
      await db.feed.bulkDelete([
        ['forYou', member.id],
        ['discover', member.id],
      ]);
    });
  } catch (error) {
    forgetDecision(member.id);
    toast({ title: 'Error', description: 'Failed to pass. Please try again.', variant: 'destructive' });
    throw error;
  }
}
