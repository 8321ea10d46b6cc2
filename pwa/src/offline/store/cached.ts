/**
 * Data of the server that is cached on the device, as a screen reads it:
 *
 *   const feed = useCached({
 *     key: ['feed', 'forYou'],
 *     read: (db) => db.feed.where('[list+rank]').between(['forYou', 0], ['forYou', Infinity]).toArray(),
 *     refresh: async (db) => {
 *       const { items } = await unwrapPage(api.GET('/api/matches/for-you'));
 *       await db.transaction('rw', db.feed, …);   // write into Dexie, return nothing
 *     },
 *   });
 *   // feed.data (undefined until read), feed.state: 'loading' | 'empty' | 'error' | 'ready'
 *
 * `read` is a live query on Dexie and the only source of the screen's data. It runs again when the rows change, also by
 * another tab. `refresh` is a react-query query that only writes rows: react-query caches no JSON, but decides when to
 * refresh and keeps the error.
 */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useLiveQuery } from 'dexie-react-hooks';
import { use, useDeferredValue, useEffect, useState } from 'react';
import { SessionContext, useSession } from '@/base/pageSession.ts';
import { dbOf, type HeartwardDb } from './db.ts';
import { firstScreenShown } from './idle.ts';

/** Returns the signed-in member's database. Only for components below `Gate`. */
export const useDb = (): HeartwardDb => dbOf(useSession());

/** Returns the signed-in member's database; null for a visitor. */
export function useMemberDb(): HeartwardDb | null {
  const session = use(SessionContext);
  return session && dbOf(session);
}

/** A live query on the signed-in member's database; undefined until the first result, and for a visitor. */
export function useLive<T>(read: (db: HeartwardDb) => Promise<T>, deps: unknown[] = []): T | undefined {
  const db = useMemberDb();
  // An error of a closed database is ignored by the live query, which keeps its last result.
  return useLiveQuery(async () => (db ? await read(db) : undefined), [db, ...deps]);
}

export type Cached<T> = {
  data: T | undefined;
  /** 'error' and 'empty' only when there is nothing to show. */
  state: 'loading' | 'empty' | 'error' | 'ready';
  error: Error | null;
  refreshing: boolean;
  /** Fetches the data again; resolves with the error, if any. */
  refresh: () => Promise<{ error: Error | null }>;
};

/** What `read` may return. Undefined means that nothing was read yet: a screen would wait for it without end. */
type Readable = NonNullable<unknown> | null;

type Options<T> = {
  /** The key of the data; `read` runs again when it changes. */
  key: readonly (string | number)[];
  read: (db: HeartwardDb) => Promise<T>;
  refresh: (db: HeartwardDb, signal: AbortSignal) => Promise<void>;
  isEmpty?: (data: T) => boolean;
  staleMs?: number;
  /** False while the data need not be fetched. */
  enabled?: boolean;
  /** Further dependencies of `read`. */
  deps?: readonly unknown[];
};

/**
 * Returns the last error of a query until it succeeds. react-query clears the error when a request starts. The app
 * repeats failed requests when the connection is back, and "Try again" must not disappear under a finger meanwhile.
 */
export function useFailure({ error, errorUpdateCount, isPending }: UseQueryResult): Error | null {
  const [last, setLast] = useState(error);
  if (!isPending && error !== last) setLast(error);
  return isPending && errorUpdateCount > 0 ? last : error;
}

const isEmptyByDefault = (data: unknown) => (Array.isArray(data) ? data.length === 0 : data === null);

type RefreshOptions = { staleMs?: number; enabled?: boolean };

/** Refreshes data that is cached on the device, without reading it; `useCached` of the same key shares its requests. */
export function useRefresh(
  key: Options<unknown>['key'],
  refresh: Options<unknown>['refresh'],
  { staleMs = 30_000, enabled = true }: RefreshOptions = {},
): UseQueryResult {
  const db = useMemberDb();
  return useQuery({
    queryKey: ['refresh', ...key],
    queryFn: async ({ signal }) => {
      if (!db) throw new Error('No member is signed in');
      await refresh(db, signal);
      return Date.now();
    },
    staleTime: staleMs,
    enabled,
    // A request that fails is the only reliable sign of being offline.
    networkMode: 'always',
  });
}

export function useCached<T extends Readable>(options: Options<T>): Cached<T> {
  const { key, read, refresh, isEmpty = isEmptyByDefault, staleMs, enabled, deps = [] } = options;
  const query = useRefresh(key, refresh, { staleMs, enabled });
  // A refresh ends before its rows are read: rows that were empty are read again before they are called empty.
  const [isAnswered, setIsAnswered] = useState(!query.isPending);
  const stored = useLive(async (db) => ({ rows: await read(db), isAnswered }), [...key, ...deps, isAnswered]);
  const live = stored?.rows;
  if (!isAnswered && !query.isPending && live !== undefined && isEmpty(live)) setIsAnswered(true);
  // The first rows are drawn in slices, between which a slow phone answers to touches; later changes are drawn at once.
  const hasRows = live !== undefined && !isEmpty(live);
  const areDrawn = useDeferredValue(hasRows, false);
  const data = hasRows && !areDrawn ? undefined : live;
  const error = useFailure(query);
  const isShown = data !== undefined && (stored?.isAnswered || !isEmpty(data));
  useEffect(() => {
    if (isShown) firstScreenShown();
  }, [isShown]);
  const base = { data, error, refreshing: query.isFetching, refresh: query.refetch };
  if (data !== undefined && !isEmpty(data)) return { ...base, state: 'ready' };
  if (data !== undefined && error) return { ...base, state: 'error' };
  if (data === undefined || query.isPending || !stored?.isAnswered) return { ...base, state: 'loading' };
  return { ...base, state: 'empty' };
}
