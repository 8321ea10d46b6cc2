/** The two lists of candidates on the device: how they are read, fetched and continued. */
import { api, unwrapPage } from '@/api/client.ts';
import type { Candidate } from '@/api/types.ts';
import { type Cached, useCached } from '@/offline/cached.ts';
import type { FeedList, FeedRow, HeartwardDb } from '@/offline/db.ts';

export type Feed = {
  rows: FeedRow[];
  /** Cursor of the next page; null when all has been fetched. */
  next: string | null;
  /** The list has come from the server before, so an empty one is truly empty. */
  fetched: boolean;
};

const nextKey = (list: FeedList) => `feed:${list}`;

export async function readFeed(db: HeartwardDb, list: FeedList): Promise<Feed> {
  const rows = await db.feed
    .where('[list+rank]')
    .between([list, 0], [list, Number.POSITIVE_INFINITY])
    .toArray();
  const note = await db.meta.get(nextKey(list));
  return { rows, next: (note?.value as string | null | undefined) ?? null, fetched: note !== undefined };
}

/**
 * Members decided on in this tab, with the moment. An answer that the server began before it heard of a
 * decision still holds that member, who must not come back.
 */
const decisions = new Map<string, number>();

export function noteDecision(id: string): void {
  decisions.set(id, Date.now());
}

/** The decision was refused: the member may come back at once. */
export function forgetDecision(id: string): void {
  decisions.delete(id);
}

/** Members whose like or pass still waits to be sent. */
async function waiting(db: HeartwardDb): Promise<string[]> {
  const rows = await db.outbox.toArray();
  return rows.flatMap(({ body, state }) => {
    if (state === 'failed') return [];
    if (body.kind === 'like') return [body.toUserId];
    return body.kind === 'pass' ? [body.targetUserId] : [];
  });
}

type Page = { items: Candidate[]; next: string | null };
type Fetch = (cursor: string | undefined) => Promise<Page>;

const fetchers = (signal?: AbortSignal): Record<FeedList, Fetch> => ({
  forYou: (cursor) => unwrapPage(api.GET('/api/matches/for-you', { params: { query: { cursor } }, signal })),
  discover: (cursor) => unwrapPage(api.GET('/api/discover', { params: { query: { cursor } }, signal })),
});

/**
 * Fetches a page and stores it: the first page replaces the list, a later one goes behind it. Members who
 * were decided on before or while the server answered are left out.
 */
async function takePage(db: HeartwardDb, list: FeedList, fetch: Fetch, cursor?: string): Promise<void> {
  const since = Date.now();
  const before = await waiting(db);
  const page = await fetch(cursor);
  await db.transaction('rw', db.feed, db.meta, db.outbox, async () => {
    const decided = new Set([...before, ...(await waiting(db))]);
    const known = cursor
      ? await db.feed.where('[list+rank]').between([list, 0], [list, Infinity]).toArray()
      : [];
    for (const { id } of known) decided.add(id);
    const behind = (known.at(-1)?.rank ?? -1) + 1;
    const fresh = page.items.filter(({ id }) => !decided.has(id) && (decisions.get(id) ?? 0) < since);
    if (!cursor) await db.feed.where('[list+rank]').between([list, 0], [list, Infinity]).delete();
    await db.feed.bulkPut(
      fresh.map((candidate, index): FeedRow => {
        return { list, id: candidate.id, rank: behind + index, candidate, fetchedAt: since };
      }),
    );
    await db.meta.put({ key: nextKey(list), value: page.next });
  });
}

export const refreshFeed = (db: HeartwardDb, list: FeedList, signal?: AbortSignal) =>
  takePage(db, list, fetchers(signal)[list]);

const continuing = new Map<FeedList, Promise<void>>();

/** Fetches the next page, once at a time; nothing to do at the end of the list. */
export function continueFeed(db: HeartwardDb, list: FeedList): Promise<void> {
  const running = continuing.get(list);
  if (running) return running;
  const started = (async () => {
    const { next } = await readFeed(db, list);
    if (next) await takePage(db, list, fetchers()[list], next);
  })().finally(() => continuing.delete(list));
  continuing.set(list, started);
  return started;
}

/** A list as the screen shows it: from the device, refreshed from the server. */
export function useFeed(list: FeedList): Cached<Feed> {
  const cached = useCached({
    key: ['feed', list],
    read: (db) => readFeed(db, list),
    refresh: (db, signal) => refreshFeed(db, list, signal),
    isEmpty: ({ rows }) => rows.length === 0,
  });
  // Away from the network an empty list that was fetched before is no failure.
  if (cached.state === 'error' && cached.data?.fetched) return { ...cached, state: 'empty' };
  return cached;
}
