/**
 * How a screen reads. One pattern for all JSON:
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
 * `read` is a live query on Dexie and the only source of what is drawn; it runs
 * again whenever those rows change, also from another tab. `refresh` is a
 * react-query query whose only effect is to write rows; react-query keeps no
 * JSON, it decides when to ask again and remembers the failure.
 */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useLiveQuery } from 'dexie-react-hooks';
import { useState } from 'react';
import { getDb, type HeartwardDb, SignedOutError } from './db.ts';

/** A live query on the signed-in member's database; undefined until the first result. */
export function useLive<T>(read: (db: HeartwardDb) => Promise<T>, deps: unknown[] = []): T | undefined {
  return useLiveQuery(async () => {
    try {
      return await read(getDb());
    } catch (error) {
      if (error instanceof SignedOutError) return undefined;
      // A closed database, too, is no error to a live query: it keeps what it read last.
      throw error;
    }
  }, deps);
}

export type Cached<T> = {
  data: T | undefined;
  /** 'error' and 'empty' only when there is nothing to show. */
  state: 'loading' | 'empty' | 'error' | 'ready';
  error: Error | null;
  refreshing: boolean;
  /** Asks the server again; resolves with what went wrong, if anything. */
  refresh: () => Promise<{ error: Error | null }>;
};

type Options<T> = {
  /** Names the data; also what `read` depends on. */
  key: readonly (string | number)[];
  read: (db: HeartwardDb) => Promise<T>;
  refresh: (db: HeartwardDb, signal: AbortSignal) => Promise<void>;
  isEmpty?: (data: T) => boolean;
  staleMs?: number;
  /** What `read` depends on beside the key. */
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

const nothing = (data: unknown) => (Array.isArray(data) ? data.length === 0 : data === null);

export function useCached<T>(options: Options<T>): Cached<T> {
  const { key, read, refresh, isEmpty = nothing, staleMs = 30_000, deps = [] } = options;
  const data = useLive(read, [...key, ...deps]);
  const query = useQuery({
    queryKey: ['refresh', ...key],
    queryFn: ({ signal }) => refresh(getDb(), signal).then(() => Date.now()),
    staleTime: staleMs,
    // Requests themselves tell whether there is a network.
    networkMode: 'always',
  });
  const error = useFailure(query);
  const base = { data, error, refreshing: query.isFetching, refresh: query.refetch };
  if (data !== undefined && !isEmpty(data)) return { ...base, state: 'ready' };
  if (data !== undefined && error) return { ...base, state: 'error' };
  if (data === undefined || query.isPending) return { ...base, state: 'loading' };
  return { ...base, state: 'empty' };
}
