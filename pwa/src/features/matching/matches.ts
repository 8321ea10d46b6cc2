/** The member's matches on the device: read, fetched, marked as seen. */
import { useEffect } from 'react';
import { api, unwrap, unwrapPage } from '@/api/client.ts';
import type { Match } from '@/api/types.ts';
import { useCached, useLive } from '@/offline/store/cached.ts';
import { getDb, type HeartwardDb, type MatchRow } from '@/offline/store/db.ts';
import { getMeta, setMeta } from '@/offline/store/meta.ts';
import { withQuotaRetry } from '@/offline/store/quota.ts';

/** A match with what is unread in its conversation, as the device knows it. */
export type ListedMatch = MatchRow & { unread: number; lastMessageAt: string | null };

export type Matches = {
  /** The newest first. */
  list: ListedMatch[];
  /** Conversations with at least one message, requests left out: the server's count. */
  conversations: number;
};

export const matchesKey = ['matches'] as const;

export async function readMatches(db: HeartwardDb): Promise<Matches> {
  const rows = await db.matches.orderBy('matchedAt').reverse().toArray();
  const conversations = await db.conversations.toArray();
  const byId = new Map(conversations.map((row) => [row.id, row]));
  return {
    list: rows.map((match) => {
      const conversation = byId.get(match.conversationId);
      return {
        ...match,
        unread: conversation?.unreadCount ?? match.unread ?? 0,
        lastMessageAt: conversation?.lastMessage?.sentAt ?? match.lastMessageAt ?? null,
      };
    }),
    conversations: conversations.filter((row) => row.request === 'none' && row.lastSeq > 0).length,
  };
}

/** How many dates are planned; 0 until the server has told this device. */
export const usePlannedDates = () =>
  useCached({
    key: ['datesPlanned'],
    read: (db) => getMeta(db, 'datesPlanned'),
    refresh: async (db, signal) => {
      const { datesPlanned } = await unwrap(api.GET('/api/matches/counts', { signal }));
      await setMeta(db, 'datesPlanned', datesPlanned);
    },
    isEmpty: () => false,
    // One may have been agreed in a conversation a moment ago.
    staleMs: 0,
  });

/** Those with something unread first, the newest message first; then the others as they stand. */
export function byUnread(list: ListedMatch[]): ListedMatch[] {
  const at = (match: ListedMatch) => match.lastMessageAt ?? '';
  const unread = list.filter((match) => match.unread > 0).sort((a, b) => (at(a) < at(b) ? 1 : -1));
  return [...unread, ...list.filter((match) => match.unread === 0)];
}

async function fetchAll(signal: AbortSignal): Promise<Match[]> {
  const all: Match[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await unwrapPage(api.GET('/api/matches', { params: { query: { cursor } }, signal }));
    all.push(...page.items);
    if (!page.next) return all;
    cursor = page.next;
  }
}

/**
 * Takes the server's list. A match that arrived live while the server answered stays, one that ended meanwhile
 * does not come back; one that was seen here stays seen, and the server is told again in case it never heard.
 */
export async function refreshMatches(db: HeartwardDb, signal: AbortSignal): Promise<void> {
  const before = await db.matches.toCollection().primaryKeys();
  const fetched = await fetchAll(signal);
  const untold = await withQuotaRetry(db, () => takeMatches(db, fetched, new Set(before)));
  await tellSeen(untold);
}

/** Stores the fetched matches; resolves with those that were seen here and not at the server. */
function takeMatches(db: HeartwardDb, fetched: Match[], before: Set<string>): Promise<string[]> {
  return db.transaction('rw', db.matches, async () => {
    const known = new Map((await db.matches.toArray()).map((match) => [match.id, match]));
    const alive = fetched.filter(({ id }) => known.has(id) || !before.has(id));
    const ids = new Set(alive.map(({ id }) => id));
    await db.matches.bulkDelete([...before].filter((id) => !ids.has(id)));
    await db.matches.bulkPut(
      alive.map((match) => ({ ...match, seen: match.seen || known.get(match.id)?.seen === true })),
    );
    return alive.filter((match) => !match.seen && known.get(match.id)?.seen).map(({ id }) => id);
  });
}

/** Marks matches as seen here at once and at the server when it can be reached. */
export async function markSeen(db: HeartwardDb, ids: readonly string[]): Promise<void> {
  await db.transaction('rw', db.matches, async () => {
    for (const id of ids) await db.matches.update(id, { seen: true });
  });
  await tellSeen(ids);
}

/** The same, for screens: whoever signs out at that moment has nothing to be marked any more. */
export async function noteSeen(ids: readonly string[]): Promise<void> {
  try {
    await markSeen(getDb(), ids);
  } catch (error) {
    console.warn('A match could not be marked as seen', error);
  }
}

/** Whoever opens a conversation, by its own, the match's or the member's id, has seen the match. */
export function useSeenByOpening(id: string | undefined): void {
  const unseen = useLive(
    async (db) =>
      (await db.matches.filter((match) => !match.seen && isNamed(match, id)).primaryKeys()).join(' '),
    [id],
  );
  useEffect(() => {
    if (unseen) void noteSeen(unseen.split(' '));
  }, [unseen]);
}

function isNamed(match: MatchRow, id: string | undefined): boolean {
  return id !== undefined && [match.id, match.conversationId, match.user.id].includes(id);
}

/** Whatever does not arrive is said again with the next refresh. */
async function tellSeen(ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    try {
      await unwrap(api.POST('/api/matches/{id}/seen', { params: { path: { id } } }));
    } catch {
      return;
    }
  }
}

export const useMatches = () =>
  useCached({
    key: matchesKey,
    read: readMatches,
    refresh: refreshMatches,
    isEmpty: ({ list }) => list.length === 0,
  });
