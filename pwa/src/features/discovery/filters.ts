/** The member's filters: stored on the server, cached on the device for reading offline. */

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, unwrap } from '@/api/client.ts';
import { filterDefaults } from '@/api/defaults.gen.ts';
import type { FilterPreview, FilterSet } from '@/api/types.ts';
import { part } from '@/base/pageSession.ts';
import { useCached, useDb } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, setMeta } from '@/offline/store/meta.ts';
import { meKey, queryClient } from '@/session/query.ts';
import { PREVIEW_KEY } from './discoveryData.ts';
import { reset, sameFilters, withDefaults } from './filterSet.ts';

/** `saved` is false while the member has the filterDefaults. */
type Saved = { filters: FilterSet; saved: boolean };

export async function readFilters(db: HeartwardDb): Promise<Saved | null> {
  const stored = await getMeta(db, 'filters');
  return stored ? savedOf(stored) : null;
}

const savedOf = ({ filters, saved }: { filters: unknown; saved: boolean }): Saved => ({
  filters: withDefaults(filters as Partial<FilterSet>),
  saved,
});

/** The number of calls of storeFilters. A response to a request made before the last call is out of date. */
const storesOf = part(() => ({ count: 0 }));

/** Stores the server's filters on the device. Returns true if they replaced other filters, so that the feed is stale. */
export async function refreshFilters(db: HeartwardDb, signal?: AbortSignal): Promise<boolean> {
  const stores = storesOf(db);
  const countBefore = stores.count;
  const before = await readFilters(db);
  const fetched = savedOf(await unwrap(api.GET('/api/discovery/filters', { signal })));
  if (stores.count !== countBefore) return false;
  await setMeta(db, 'filters', fetched);
  return before !== null && (before.saved !== fetched.saved || !sameFilters(before.filters, fetched.filters));
}

/** Stores the filters on the server, then on the device. A reset deletes the server's row. */
export async function storeFilters(db: HeartwardDb, filters: FilterSet): Promise<void> {
  storesOf(db).count += 1;
  const before = await readFilters(db);
  if (before && sameFilters(filters, reset(before.filters))) {
    await unwrap(api.DELETE('/api/discovery/filters'));
    await setMeta(db, 'filters', { filters, saved: false });
  } else {
    await setMeta(db, 'filters', savedOf(await unwrap(api.PUT('/api/discovery/filters', { body: filters }))));
  }
}

/** Fetches the feeds and the previews again, after a change of the town in which the member looks. */
export function refreshSearch(): void {
  for (const queryKey of [['refresh', 'feed'], [PREVIEW_KEY]])
    void queryClient.invalidateQueries({ queryKey });
}

export type Filters = {
  /** Undefined until loaded; then the filters of the device, refreshed from the server. */
  filters: FilterSet | undefined;
  saved: boolean;
  /** Why there are no filters to show; null while there are. */
  error: Error | null;
  /** Fetches the filters again. */
  refresh: () => Promise<unknown>;
  /** Stores the filters and refreshes the feeds. Rejects if storing fails. */
  apply: (filters: FilterSet) => Promise<void>;
  applying: boolean;
};

/** The member's filters. They are refreshed when the tab becomes visible, since another device may have changed them. */
export function useFilters(): Filters {
  const db = useDb();
  const client = useQueryClient();
  const [applying, setApplying] = useState(false);
  const refreshFeeds = () => client.invalidateQueries({ queryKey: ['refresh', 'feed'] });
  const cached = useCached({
    key: ['filters'],
    read: readFilters,
    refresh: async (db, signal) => {
      if (await refreshFilters(db, signal)) void refreshFeeds();
    },
  });

  const { refresh } = cached;
  useEffect(() => {
    const refreshIfVisible = () => document.visibilityState === 'visible' && void refresh();
    document.addEventListener('visibilitychange', refreshIfVisible);
    return () => document.removeEventListener('visibilitychange', refreshIfVisible);
  }, [refresh]);

  async function apply(filters: FilterSet) {
    setApplying(true);
    try {
      await storeFilters(db, filters);
      // The genders are part of the profile.
      void client.invalidateQueries({ queryKey: meKey });
      await refreshFeeds();
    } finally {
      setApplying(false);
    }
  }

  return {
    filters: cached.data?.filters,
    saved: cached.data?.saved ?? false,
    error: cached.state === 'error' ? cached.error : null,
    refresh,
    apply,
    applying,
  };
}

const DEBOUNCE_MS = 300;

/** The number of members that fit the filters, and the first of them, fetched after a pause in changing the filters. */
export function usePreview(
  filters: FilterSet | undefined,
  candidates = 0,
): {
  preview: FilterPreview | undefined;
  /** Whether `preview` is still that of earlier filters. */
  waiting: boolean;
  error: Error | null;
} {
  const [debounced, setDebounced] = useState(filters);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(filters), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [filters]);
  const requested = debounced ?? filters;
  const query = useQuery({
    queryKey: [PREVIEW_KEY, requested, candidates],
    queryFn: ({ signal }) =>
      unwrap(
        api.POST('/api/discovery/preview', {
          body: { filters: requested ?? filterDefaults, candidates },
          signal,
        }),
      ),
    enabled: requested !== undefined,
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  });
  return {
    preview: query.data,
    waiting: requested !== filters || query.isFetching,
    error: query.error,
  };
}
