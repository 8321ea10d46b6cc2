/** The member's matches on the device: read, fetched, marked as seen. */
import { useEffect } from 'react';
import { api, unwrap, unwrapPage } from '@/api/client.ts';
import type { Match } from '@/api/types.ts';
import { useCached, useLive } from '@/offline/cached.ts';
import { getDb, type HeartwardDb } from '@/offline/db.ts';

export type Matches = {
  /** The newest first. */
  list: Match[];
  /** Conversations in which somebody has written. */
  conversations: number;
};

export const matchesKey = ['matches'] as const;

async function readMatches(db: HeartwardDb): Promise<Matches> {
  return {
    list: await db.matches.orderBy('matchedAt').reverse().toArray(),
    conversations: await db.conversations.filter((row) => row.lastMessage !== null).count(),
  };
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
 * Takes the server's list. A match that arrived live while the server answered stays; one that was seen here
 * stays seen, and the server is told again in case it never heard.
 */
export async function refreshMatches(db: HeartwardDb, signal: AbortSignal): Promise<void> {
  const before = await db.matches.toCollection().primaryKeys();
  const fetched = await fetchAll(signal);
  const untold = await db.transaction('rw', db.matches, async () => {
    const known = new Map((await db.matches.toArray()).map((match) => [match.id, match]));
    const ids = new Set(fetched.map((match) => match.id));
    await db.matches.bulkDelete(before.filter((id) => !ids.has(id)));
    await db.matches.bulkPut(
      fetched.map((match) => ({ ...match, seen: match.seen || known.get(match.id)?.seen === true })),
    );
    return fetched.filter((match) => !match.seen && known.get(match.id)?.seen).map((match) => match.id);
  });
  await tellSeen(untold);
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

function isNamed(match: Match, id: string | undefined): boolean {
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
