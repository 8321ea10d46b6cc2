/** How the member wants to discover others: stored at the server, kept on the device for reading offline. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, unwrap } from '@/api/client.ts';
import type { FilterPreview, FilterSet } from '@/api/types.ts';
import { useCached } from '@/offline/store/cached.ts';
import { getDb, type HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, setMeta } from '@/offline/store/meta.ts';
import { defaults, sameFilters, withDefaults } from './filterSet.ts';

/** `saved`: the member chose them; otherwise they are the defaults. */
type Saved = { filters: FilterSet; saved: boolean };

export async function readFilters(db: HeartwardDb): Promise<Saved | null> {
  const stored = await getMeta(db, 'filters');
  return stored ? savedOf(stored) : null;
}

const savedOf = ({ filters, saved }: { filters: unknown; saved: boolean }): Saved => ({
  filters: withDefaults(filters as Partial<FilterSet>),
  saved,
});

/** How often filters were stored here: an answer that was asked for before says nothing about them. */
let stored = 0;

/** Takes the server's filters; true when they are not those that the lists on the device were made with. */
export async function refreshFilters(db: HeartwardDb, signal?: AbortSignal): Promise<boolean> {
  const known = stored;
  const before = await readFilters(db);
  const now = savedOf(await unwrap(api.GET('/api/discovery/filters', { signal })));
  if (stored !== known) return false;
  await setMeta(db, 'filters', now);
  return before !== null && (before.saved !== now.saved || !sameFilters(before.filters, now.filters));
}

/** Stores the filters at the server; the defaults are stored by having none. */
export async function storeFilters(db: HeartwardDb, filters: FilterSet): Promise<void> {
  stored += 1;
  if (sameFilters(filters, defaults)) {
    await unwrap(api.DELETE('/api/discovery/filters'));
    await setMeta(db, 'filters', { filters: defaults, saved: false });
  } else {
    await setMeta(db, 'filters', savedOf(await unwrap(api.PUT('/api/discovery/filters', { body: filters }))));
  }
}

export type Filters = {
  /** Undefined until they are known; then those of the device, refreshed from the server. */
  filters: FilterSet | undefined;
  saved: boolean;
  failed: boolean;
  /** Stores them and fetches the lists anew. Rejects with what went wrong. */
  apply: (filters: FilterSet) => Promise<void>;
  applying: boolean;
};

/** The member's filters. Changed on another device, they come with the next look at this one. */
export function useFilters(): Filters {
  const client = useQueryClient();
  const [applying, setApplying] = useState(false);
  const renew = () => client.invalidateQueries({ queryKey: ['refresh', 'feed'] });
  const cached = useCached({
    key: ['filters'],
    read: readFilters,
    refresh: async (db, signal) => {
      if (await refreshFilters(db, signal)) void renew();
    },
  });

  const { refresh } = cached;
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && void refresh();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [refresh]);

  async function apply(filters: FilterSet) {
    setApplying(true);
    try {
      await storeFilters(getDb(), filters);
      await renew();
    } finally {
      setApplying(false);
    }
  }

  return {
    filters: cached.data?.filters,
    saved: cached.data?.saved ?? false,
    failed: cached.state === 'error',
    apply,
    applying,
  };
}

const SETTLED_MS = 300;

/** What the filters would leave, asked a moment after the last change. */
export function usePreview(filters: FilterSet | undefined): {
  preview: FilterPreview | undefined;
  /** The figures shown are those of other filters. */
  waiting: boolean;
  error: Error | null;
} {
  const [settled, setSettled] = useState(filters);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(filters), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [filters]);
  const asked = settled ?? filters;
  const query = useQuery({
    queryKey: ['preview', asked],
    queryFn: ({ signal }) =>
      unwrap(api.POST('/api/discovery/preview', { body: { filters: asked ?? defaults }, signal })),
    enabled: asked !== undefined,
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  });
  return {
    preview: query.data,
    waiting: asked !== filters || query.isFetching,
    error: query.error,
  };
}
