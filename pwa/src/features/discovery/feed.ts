/** The two lists of candidates, mirrored on the device. */
import { api, type Remaining, unwrapPage } from '@/api/client.ts';
import type { ApiResponse } from '@/api/request.ts';
import type { Candidate } from '@/api/types.ts';
import { decidedGuard } from '@/domain/decide.ts';
import { type Cached, useCached } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, setMeta } from '@/offline/store/meta.ts';
import type { FeedList, FeedRow } from '@/offline/store/rows.ts';
import { fetchNextPage, type Mirror, type Page, refreshMirror } from '@/offline/sync/mirror.ts';

export type Feed = {
  rows: FeedRow[];
  /** The cursor of the next page; null after the last one. */
  next: string | null;
  /** The candidates after `rows`, which the device does not have. */
  remaining: Remaining;
  /** When more people are shown, if the list lacks some because of the daily limit; else null. */
  newPeopleAt: string | null;
  /** Whether the list was ever fetched; if not, an empty list does not mean that there are no members. */
  fetched: boolean;
};

const nextKey = (list: FeedList) => `feed:${list}` as const;
const remainingKey = (list: FeedList) => `feed:${list}:remaining` as const;
const newPeopleKey = (list: FeedList) => `feed:${list}:newPeopleAt` as const;

/** Returns the rows of a list in their order. */
const rowsOf = (db: HeartwardDb, list: FeedList) =>
  db.feed.where('[list+rank]').between([list, -Infinity], [list, Infinity]);

export async function readFeed(db: HeartwardDb, list: FeedList): Promise<Feed> {
  const [rows, next, remaining, newPeopleAt] = await Promise.all([
    rowsOf(db, list).toArray(),
    getMeta(db, nextKey(list)),
    getMeta(db, remainingKey(list)),
    getMeta(db, newPeopleKey(list)),
  ]);
  return {
    rows,
    next: next ?? null,
    remaining: remaining ?? unknownRemaining(next ?? null),
    newPeopleAt: newPeopleAt ?? null,
    fetched: next !== undefined,
  };
}

/** Without the server's number only `next` says whether there are more. */
const unknownRemaining = (next: string | null): Remaining => ({ count: 0, more: next !== null });

/** Returns the number of all candidates, on the device and not. */
export const totalOf = ({ rows, remaining }: Feed): Remaining => ({
  count: rows.length + remaining.count,
  more: remaining.more,
});

/** The first page is short, so that the first card is drawn soon. public/boot.js requests the same address. */
const FIRST_PAGE = 12;

const queryOf = (cursor: string | undefined) => (cursor ? { cursor } : { limit: FIRST_PAGE });

type CandidatePage = Page<Candidate> & { remaining: Remaining; newPeopleAt: string | null };

async function unwrapCandidates(call: Promise<ApiResponse<Candidate[]>>): Promise<CandidatePage> {
  const { response } = await call;
  return { ...(await unwrapPage(call)), newPeopleAt: response.headers.get('X-New-People-At') };
}

const fetchers: Record<FeedList, Mirror<Candidate, CandidatePage>['fetch']> = {
  forYou: (_, cursor, signal) =>
    unwrapCandidates(api.GET('/api/matches/for-you', { params: { query: queryOf(cursor) }, signal })),
  discover: (_, cursor, signal) =>
    unwrapCandidates(api.GET('/api/discover', { params: { query: queryOf(cursor) }, signal })),
};

const mirrorOf = (list: FeedList): Mirror<Candidate, CandidatePage> => ({
  fetch: fetchers[list],
  memberOf: ({ id }) => id,
  guard: decidedGuard,
  readCursor: async (db) => (await readFeed(db, list)).next,
  tables: (db) => [db.feed],
  replace: async (db, { isAdded, ...page }) => {
    const added = (await rowsOf(db, list).toArray()).filter(({ id }) => isAdded(id));
    await rowsOf(db, list).delete();
    await db.feed.bulkPut(added);
    await setMeta(db, newPeopleKey(list), null);
    await append(db, list, added, page);
  },
  append: async (db, page) => append(db, list, await rowsOf(db, list).toArray(), page),
});

const mirrors = { forYou: mirrorOf('forYou'), discover: mirrorOf('discover') };

/** Appends candidates to the list, which has these rows; one who is already listed keeps the position. */
async function append(
  db: HeartwardDb,
  list: FeedList,
  rows: FeedRow[],
  { items, next, remaining, newPeopleAt, since: fetchedAt }: CandidatePage & { since: number },
): Promise<void> {
  const ids = new Set(rows.map(({ id }) => id));
  const rank = (rows.at(-1)?.rank ?? -1) + 1;
  const added = items.filter(({ id }) => !ids.has(id));
  await db.feed.bulkPut(
    added.map((candidate, index) => ({ list, id: candidate.id, rank: rank + index, candidate, fetchedAt })),
  );
  await setMeta(db, nextKey(list), next);
  await setMeta(db, remainingKey(list), remaining);
  if (newPeopleAt) await setMeta(db, newPeopleKey(list), newPeopleAt);
}

export const refreshFeed = (db: HeartwardDb, list: FeedList, signal?: AbortSignal) =>
  refreshMirror(db, mirrors[list], signal);

export const fetchNextCandidates = (db: HeartwardDb, list: FeedList) => fetchNextPage(db, mirrors[list]);

/** A list from the device, refreshed from the server. */
export function useFeed(list: FeedList): Cached<Feed> {
  const cached = useCached({
    key: ['feed', list],
    read: (db) => readFeed(db, list),
    refresh: (db, signal) => refreshFeed(db, list, signal),
    isEmpty: ({ rows }) => rows.length === 0,
  });
  const fetched = cached.data?.fetched === true;
  // Offline, an empty list that was fetched before is not an error.
  if (cached.state === 'error' && fetched) return { ...cached, state: 'empty' };
  // The request has ended, and the live query emits its rows a moment later.
  if (cached.state === 'empty' && !fetched) return { ...cached, state: 'loading' };
  return cached;
}
