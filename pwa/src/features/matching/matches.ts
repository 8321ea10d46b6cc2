/** The member's matches on the device. */
import { useEffect } from 'react';
import { api, unwrap, unwrapPage } from '@/api/client.ts';
import type { Match } from '@/api/types.ts';
import { countPlanned } from '@/domain/plannedDates.ts';
import { readEnding } from '@/domain/unmatch.ts';
import { enqueue, outboxTables } from '@/offline/outbox/outbox.ts';
import { useCached, useDb, useLive } from '@/offline/store/cached.ts';
import type { HeartwardDb, MatchRow } from '@/offline/store/db.ts';
import { getMeta, setMeta } from '@/offline/store/meta.ts';
import { withQuotaRetry } from '@/offline/store/quota.ts';
import { fetchAllPages } from '@/offline/sync/mirror.ts';

/** A match with the unread count and the newest message of its conversation, as stored on the device. */
export type ListedMatch = MatchRow & {
  unread: number;
  lastMessageAt: string | null;
  /** The member has unmatched the other one, and can still undo it. */
  isEnding: boolean;
};

declare module '@/offline/store/meta.ts' {
  interface Meta {
    /** The number of conversations with a message, for a device that has not loaded them yet. */
    conversationsOnServer: number;
  }
}

export type Matches = {
  /** Newest first. */
  list: ListedMatch[];
  /** The number of conversations with a message, without requests, as the server counts them; undefined until loaded. */
  conversations: number | undefined;
  /** The number of planned dates on this device. */
  datesOnDevice: number;
};

export const matchesKey = ['matches'] as const;

export async function readMatches(db: HeartwardDb): Promise<Matches> {
  const rows = await db.matches.orderBy('matchedAt').reverse().toArray();
  const conversations = await db.conversations.toArray();
  const byId = new Map(conversations.map((row) => [row.id, row]));
  const ending = await readEnding(db);
  const isSynced = (await getMeta(db, 'syncCursor')) !== undefined;
  return {
    list: rows.map((match) => {
      const conversation = byId.get(match.conversationId);
      return {
        ...match,
        unread: conversation?.unreadCount ?? match.unread ?? 0,
        lastMessageAt: conversation?.lastMessage?.sentAt ?? match.lastMessageAt ?? null,
        isEnding: ending.has(match.user.id),
      };
    }),
    conversations: isSynced
      ? conversations.filter((row) => row.request === 'none' && row.lastSeq > 0).length
      : undefined,
    datesOnDevice: await countPlanned(db),
  };
}

/** Each number is undefined until it is known. */
export type Counts = {
  conversations: number | undefined;
  datesPlanned: number | undefined;
  /** Why an unknown number could not be loaded; null while it loads. */
  error: Error | null;
  /** Fetches the numbers again. */
  refresh: () => Promise<unknown>;
};

/**
 * Returns the number of conversations: the device's once they have loaded, before that the server's. And of planned dates: the
 * server's, at least those on this device. They are fetched again when a date on the device is agreed or cancelled.
 */
export function useCounts({ conversations, datesOnDevice }: Matches): Counts {
  const { data, error, refresh } = useCached({
    key: ['matchCounts', datesOnDevice],
    read: async (db) => ({
      conversations: await getMeta(db, 'conversationsOnServer'),
      datesPlanned: await getMeta(db, 'datesPlanned'),
    }),
    refresh: async (db, signal) => {
      const counts = await unwrap(api.GET('/api/matches/counts', { signal }));
      await setMeta(db, 'conversationsOnServer', counts.conversations);
      await setMeta(db, 'datesPlanned', counts.datesPlanned);
    },
    isEmpty: () => false,
    // The number of dates also depends on those that this device lacks.
    staleMs: 0,
  });
  const planned = data?.datesPlanned;
  return {
    conversations: conversations ?? data?.conversations,
    datesPlanned:
      planned === undefined && datesOnDevice === 0 ? undefined : Math.max(planned ?? 0, datesOnDevice),
    error,
    refresh,
  };
}

/** Returns the unread matches, by newest message, followed by the others in their order. */
export function byUnread(list: ListedMatch[]): ListedMatch[] {
  const lastMessageTime = (match: ListedMatch) => match.lastMessageAt ?? '';
  const unread = list
    .filter((match) => match.unread > 0)
    .sort((a, b) => (lastMessageTime(a) < lastMessageTime(b) ? 1 : -1));
  return [...unread, ...list.filter((match) => match.unread === 0)];
}

/**
 * Replaces the matches by the server's. A match that arrived live during the request stays, one that ended meanwhile
 * does not return. A match that was seen on this device stays seen, and is sent to the server if it does not know that.
 */
export async function refreshMatches(db: HeartwardDb, signal: AbortSignal): Promise<void> {
  const idsBefore = await db.matches.toCollection().primaryKeys();
  const fetched = await fetchAllPages((cursor) =>
    unwrapPage(api.GET('/api/matches', { params: { query: { cursor } }, signal })),
  );
  const unsent = await withQuotaRetry(db, () => storeMatches(db, fetched, new Set(idsBefore)));
  for (const matchId of unsent) await enqueue(db, { kind: 'seen', matchId });
}

/** Stores the fetched matches; resolves with the ids that are seen on this device but not on the server. */
function storeMatches(db: HeartwardDb, fetched: Match[], idsBefore: Set<string>): Promise<string[]> {
  return db.transaction('rw', db.matches, async () => {
    const stored = new Map((await db.matches.toArray()).map((match) => [match.id, match]));
    const current = fetched.filter(({ id }) => stored.has(id) || !idsBefore.has(id));
    const ids = new Set(current.map(({ id }) => id));
    await db.matches.bulkDelete([...idsBefore].filter((id) => !ids.has(id)));
    await db.matches.bulkPut(
      current.map((match) => ({ ...match, seen: match.seen || stored.get(match.id)?.seen === true })),
    );
    return current.filter((match) => !match.seen && stored.get(match.id)?.seen).map(({ id }) => id);
  });
}

/** Marks matches as seen on this device at once, and at the server by the outbox. */
export async function markMatchesSeen(db: HeartwardDb, ids: readonly string[]): Promise<void> {
  await db.transaction('rw', [...outboxTables(db), db.matches], async () => {
    for (const matchId of ids) {
      await db.matches.update(matchId, { seen: true });
      await enqueue(db, { kind: 'seen', matchId });
    }
  });
}

/** Calls markMatchesSeen and logs its failure, such as that of a database closed by signing out. */
export async function tryMarkMatchesSeen(db: HeartwardDb, ids: readonly string[]): Promise<void> {
  try {
    await markMatchesSeen(db, ids);
  } catch (error) {
    console.warn('A match could not be marked as seen', error);
  }
}

/** Marks the match of an opened conversation as seen; `id` is that of the conversation, the match or the member. */
export function useMarkMatchSeen(id: string | undefined): void {
  const db = useDb();
  const unseen = useLive(
    async (db) =>
      (await db.matches.filter((match) => !match.seen && isNamed(match, id)).primaryKeys()).join(' '),
    [id],
  );
  useEffect(() => {
    if (unseen) void tryMarkMatchesSeen(db, unseen.split(' '));
  }, [unseen, db]);
}

function isNamed(match: MatchRow, id: string | undefined): boolean {
  return id !== undefined && [match.id, match.conversationId, match.user.id].includes(id);
}

/**
 * Returns the match with a member, or null without one. It is undefined until that is known: a device without any match
 * waits for the server's answer or an error.
 */
export function useMatchWith(memberId: string): MatchRow | null | undefined {
  const { data, state } = useCached({
    key: matchesKey,
    read: (db) => db.matches.toArray(),
    refresh: refreshMatches,
    isEmpty: (all) => all.length === 0,
  });
  return state === 'loading' ? undefined : (data?.find(({ user }) => user.id === memberId) ?? null);
}

export const useMatches = () =>
  useCached({
    key: matchesKey,
    read: readMatches,
    refresh: refreshMatches,
    isEmpty: ({ list }) => list.length === 0,
  });
