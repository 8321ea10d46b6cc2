/** The two lists of candidates on the device: how they are read, fetched and continued. */
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
  /** Cursor of the next page; null when all has been fetched. */
  next: string | null;
  /** The list has come from the server before, so an empty one is truly empty. */
  fetched: boolean;
};

const nextKey = (list: FeedList) => `feed:${list}` as const;

export async function readFeed(db: HeartwardDb, list: FeedList): Promise<Feed> {
  const rows = await db.feed.where('[list+rank]').between([list, -Infinity], [list, Infinity]).toArray();
  const next = await getMeta(db, nextKey(list));
  return { rows, next: next ?? null, fetched: next !== undefined };
}

/**
 * Members decided on in this tab, with the moment. An answer that the server began before it heard of a
 * decision still holds that member, who must not come back.
 */
const decisions = new Map<string, number>();

export function noteDecision(id: string): void {
  returns.delete(id);
  decisions.set(id, Date.now());
}

/** The decision was refused: the member may come back at once. */
export function forgetDecision(id: string): void {
  decisions.delete(id);
}

/** Members whose pass was taken back in this tab, with the moment: an answer begun before lacks them. */
const returns = new Map<string, number>();

export function noteReturn(id: string): void {
  decisions.delete(id);
  returns.set(id, Date.now());
}

/** What still waits to be sent: who was decided on, and whose pass was taken back. */
async function waiting(db: HeartwardDb): Promise<{ decided: Set<string>; returned: Set<string> }> {
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
 * Fetches a page and stores it: the first page replaces the list, a later one goes behind it. Members who
 * were decided on before or while the server answered are left out; those taken back meanwhile stay.
 */
async function takePage(db: HeartwardDb, list: FeedList, fetch: Fetch, cursor?: string): Promise<void> {
  const since = Date.now();
  const before = await waiting(db);
  const page = await fetch(cursor);
  const store = async () => {
    const now = await waiting(db);
    const isBack = (id: string) =>
      before.returned.has(id) || now.returned.has(id) || (returns.get(id) ?? 0) >= since;
    const isDecided = (id: string) =>
      now.decided.has(id) ||
      purgedSince(id, since) ||
      (before.decided.has(id) && !isBack(id)) ||
      (decisions.get(id) ?? 0) >= since;
    const { rows, next } = await readFeed(db, list);
    // The list began anew meanwhile, maybe by other filters: this page is no continuation of it.
    if (cursor && next !== cursor) return;
    const stay = cursor ? rows : rows.filter(({ id }) => isBack(id) && !isDecided(id));
    const here = new Set(stay.map(({ id }) => id));
    const behind = (stay.at(-1)?.rank ?? -1) + 1;
    const fresh = page.items.filter(({ id }) => !here.has(id) && !isDecided(id));
    if (!cursor) await db.feed.where('[list+rank]').between([list, -Infinity], [list, Infinity]).delete();
    if (!cursor) await db.feed.bulkPut(stay);
    await db.feed.bulkPut(
      fresh.map((candidate, index): FeedRow => {
        return { list, id: candidate.id, rank: behind + index, candidate, fetchedAt: since };
      }),
    );
    await setMeta(db, nextKey(list), page.next);
  };
  await withQuotaRetry(db, () => db.transaction('rw', db.feed, db.meta, db.outbox, store));
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
    if (!next) return;
    try {
      await takePage(db, list, fetchers()[list], next);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 422)) throw error;
      // The list went on by other filters, which were changed on another device since: it begins anew.
      await refreshFeed(db, list);
    }
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
