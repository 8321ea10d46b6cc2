/** The two lists of candidates, mirrored on the device. */
import { api, unwrapPage } from '@/api/client.ts';
import { ApiError } from '@/api/request.ts';
import type { Candidate } from '@/api/types.ts';
import { type Cached, useCached } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, setMeta } from '@/offline/store/meta.ts';
import { purgedSince } from '@/offline/store/purge.ts';
import { withQuotaRetry } from '@/offline/store/quota.ts';
import type { FeedList, FeedRow } from '@/offline/store/rows.ts';

export type Feed = {
  rows: FeedRow[];
  /** The cursor of the next page; null after the last one. */
  next: string | null;
  /** Whether the list was ever fetched; if not, an empty list means nothing. */
  fetched: boolean;
};

const nextKey = (list: FeedList) => `feed:${list}` as const;

export async function readFeed(db: HeartwardDb, list: FeedList): Promise<Feed> {
  const rows = await db.feed.where('[list+rank]').between([list, -Infinity], [list, Infinity]).toArray();
  const next = await getMeta(db, nextKey(list));
  return { rows, next: next ?? null, fetched: next !== undefined };
}

/**
 * When members were decided on in this tab, in ms. A response to an earlier request still contains such a member, who
 * must not return to the list.
 */
const decidedAt = new Map<string, number>();

export function markDecided(id: string): void {
  returnedAt.delete(id);
  decidedAt.set(id, Date.now());
}

/** Called when a decision failed: the member may return at once. */
export function unmarkDecided(id: string): void {
  decidedAt.delete(id);
}

/** When passes were undone in this tab, in ms. A response to an earlier request lacks such a member. */
const returnedAt = new Map<string, number>();

export function markReturned(id: string): void {
  decidedAt.delete(id);
  returnedAt.set(id, Date.now());
}

/** Returns the decisions in the outbox: members decided on, and members whose pass was undone. */
async function readQueued(db: HeartwardDb): Promise<{ decided: Set<string>; returned: Set<string> }> {
  const decided = new Set<string>();
  const returned = new Set<string>();
  for (const { body, state } of await db.outbox.orderBy('localSeq').toArray()) {
    if (state === 'failed') continue;
    if (body.kind === 'like') decided.add(body.toUserId);
    if (body.kind === 'pass') decided.add(body.targetUserId);
    if (body.kind === 'unpass') {
      decided.delete(body.targetUserId);
      returned.add(body.targetUserId);
    }
  }
  return { decided, returned };
}

type Page = { items: Candidate[]; next: string | null };
type Fetch = (cursor: string | undefined) => Promise<Page>;

const fetchers = (signal?: AbortSignal): Record<FeedList, Fetch> => ({
  forYou: (cursor) => unwrapPage(api.GET('/api/matches/for-you', { params: { query: { cursor } }, signal })),
  discover: (cursor) => unwrapPage(api.GET('/api/discover', { params: { query: { cursor } }, signal })),
});

/**
 * Fetches and stores a page: the first page replaces the list, a later one is appended. Members decided on before or
 * during the request are left out; those whose pass was undone meanwhile stay.
 */
async function storePage(db: HeartwardDb, list: FeedList, fetch: Fetch, cursor?: string): Promise<void> {
  const since = Date.now();
  const before = await readQueued(db);
  const page = await fetch(cursor);
  const store = async () => {
    const now = await readQueued(db);
    const isReturned = (id: string) =>
      before.returned.has(id) || now.returned.has(id) || (returnedAt.get(id) ?? 0) >= since;
    const isDecided = (id: string) =>
      now.decided.has(id) ||
      purgedSince(id, since) ||
      (before.decided.has(id) && !isReturned(id)) ||
      (decidedAt.get(id) ?? 0) >= since;
    const { rows, next } = await readFeed(db, list);
    // The list was replaced meanwhile, perhaps with other filters, so the page does not belong to it.
    if (cursor && next !== cursor) return;
    const staying = cursor ? rows : rows.filter(({ id }) => isReturned(id) && !isDecided(id));
    const stayingIds = new Set(staying.map(({ id }) => id));
    const nextRank = (staying.at(-1)?.rank ?? -1) + 1;
    const added = page.items.filter(({ id }) => !stayingIds.has(id) && !isDecided(id));
    if (!cursor) await db.feed.where('[list+rank]').between([list, -Infinity], [list, Infinity]).delete();
    if (!cursor) await db.feed.bulkPut(staying);
    await db.feed.bulkPut(
      added.map((candidate, index): FeedRow => {
        return { list, id: candidate.id, rank: nextRank + index, candidate, fetchedAt: since };
      }),
    );
    await setMeta(db, nextKey(list), page.next);
  };
  await withQuotaRetry(db, () => db.transaction('rw', db.feed, db.meta, db.outbox, store));
}

export const refreshFeed = (db: HeartwardDb, list: FeedList, signal?: AbortSignal) =>
  storePage(db, list, fetchers(signal)[list]);

const inFlight = new Map<FeedList, Promise<void>>();

/** Fetches the next page, if there is one. Concurrent calls share one request. */
export function fetchNextPage(db: HeartwardDb, list: FeedList): Promise<void> {
  const running = inFlight.get(list);
  if (running) return running;
  const started = (async () => {
    const { next } = await readFeed(db, list);
    if (!next) return;
    try {
      await storePage(db, list, fetchers()[list], next);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 422)) throw error;
      // 422: the cursor is invalid since the filters were changed on another device.
      await refreshFeed(db, list);
    }
  })().finally(() => inFlight.delete(list));
  inFlight.set(list, started);
  return started;
}

/** A list from the device, refreshed from the server. */
export function useFeed(list: FeedList): Cached<Feed> {
  const cached = useCached({
    key: ['feed', list],
    read: (db) => readFeed(db, list),
    refresh: (db, signal) => refreshFeed(db, list, signal),
    isEmpty: ({ rows }) => rows.length === 0,
  });
  // Offline, an empty list that was fetched before is not an error.
  if (cached.state === 'error' && cached.data?.fetched) return { ...cached, state: 'empty' };
  return cached;
}
