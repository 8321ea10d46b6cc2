import type { HeartwardDb } from './db.ts';
import { getMeta } from './meta.ts';
import type { ConversationRow } from './rows.ts';

/** The counts in the navigation: unseen matches and likes, and conversations with unread messages. */
export type Badges = { matches: number; messages: number };

export async function countBadges(db: HeartwardDb): Promise<Badges> {
  const seenAt = await getMeta(db, 'likes:seenAt');
  const matches = await db.matches.filter((match) => !match.seen).count();
  let likes = await db.likes.where('likedAt').above(seenAt).count();
  // The likes after the stored ones are unseen while the member has never opened the list.
  if (!seenAt) likes += (await getMeta(db, 'likes:remaining')).count;
  return { matches: matches + likes, messages: await db.conversations.filter(isUnread).count() };
}

/** Whether a conversation counts as unread. Requests and muted conversations do not. */
function isUnread({ unreadCount, request, mutedUntil }: ConversationRow): boolean {
  return unreadCount > 0 && request === 'none' && !(mutedUntil && Date.parse(mutedUntil) > Date.now());
}
