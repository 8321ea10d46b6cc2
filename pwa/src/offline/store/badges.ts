import { useLive } from './cached.ts';
import { getMeta } from './meta.ts';
import type { ConversationRow } from './rows.ts';

/** What the navigation counts: matches and likes not looked at yet, and conversations with unread messages. */
export function useBadges(): { matches: number; messages: number } {
  const found = useLive(async (db) => {
    const seenAt = await getMeta(db, 'likes:seenAt');
    const matches = await db.matches.filter((match) => !match.seen).count();
    const likes = await db.likes.where('likedAt').above(seenAt).count();
    return {
      matches: matches + likes,
      messages: await db.conversations.filter(counts).count(),
    };
  });
  return found ?? { matches: 0, messages: 0 };
}

/** Requests and muted conversations do not call. */
function counts({ unreadCount, request, mutedUntil }: ConversationRow): boolean {
  return unreadCount > 0 && request === 'none' && !(mutedUntil && Date.parse(mutedUntil) > Date.now());
}
