import type { HeartwardDb } from './db.ts';
import { getMeta } from './meta.ts';
import type { ConversationRow } from './rows.ts';

/** The counts in the navigation: unseen matches and likes, conversations with unread messages, and unread notifications. */
export type Badges = { matches: number; messages: number; notifications: number };

export async function countBadges(db: HeartwardDb): Promise<Badges> {
  const seenAt = await getMeta(db, 'likes:seenAt');
  const matches = await db.matches.filter((match) => !match.seen).count();
  let likes = await db.likes.where('likedAt').above(seenAt).count();
  const remaining = await getMeta(db, 'likes:remaining');
  // While the member has never opened the list, all likes are unseen.
  if (!seenAt) likes += remaining.count;
  else if (remaining.seenAt === seenAt) likes += remaining.unseen ?? 0;
  return {
    matches: matches + likes,
    messages: await db.conversations.filter(isUnread).count(),
    notifications: await getMeta(db, 'notifications:unread'),
  };
}

/** Whether a conversation counts as unread. Requests, muted and archived conversations do not. */
function isUnread({ unreadCount, request, mutedUntil, archivedSeq, lastSeq }: ConversationRow): boolean {
  const isMuted = mutedUntil !== null && Date.parse(mutedUntil) > Date.now();
  const isArchived = archivedSeq !== null && lastSeq <= archivedSeq;
  return unreadCount > 0 && request === 'none' && !isMuted && !isArchived;
}
