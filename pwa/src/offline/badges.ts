import { useLive } from './cached.ts';

/** What the navigation counts: matches not opened yet and conversations with unread messages. */
export function useBadges(): { matches: number; messages: number } {
  const counts = useLive(async (db) => ({
    matches: await db.matches.filter((match) => !match.seen).count(),
    messages: await db.conversations.filter((row) => row.unreadCount > 0).count(),
  }));
  return counts ?? { matches: 0, messages: 0 };
}
