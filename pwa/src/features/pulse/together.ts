/**
 * The space of a graduated couple. Nothing of it is stored on the device: an end of the sharing must hide what was shared
 * at once, and would not reach a device that is offline.
 */
import { type InfiniteData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api, unwrap, unwrapPage } from '@/api/client.ts';
import { ApiError } from '@/api/request.ts';
import type { SharedDay, Together } from '@/api/types.ts';
import { queryClient } from '@/session/query.ts';
import { useMember } from '@/session/session.ts';
import { useRefreshOnChanges } from './pulse.ts';

const key = ['together'];
const daysKey = [...key, 'days'];

/** The space, fetched again whenever it may have changed. */
export function useTogether(enabled = true) {
  useRefreshOnChanges(key);
  return useQuery({
    queryKey: [...key, 'space'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/together', { signal })),
    enabled,
    gcTime: 0,
    networkMode: 'always',
  });
}

export const hasNoSpace = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** Who reads what the member writes: nobody else, the partner, or that is not known without a connection. */
export type Readers = 'me' | 'unknown' | { partner: string };

/** The readers of what the member writes now. Members who have not graduated need no request. */
export function useReaders(): Readers {
  const { isGraduated } = useMember();
  const { data, error } = useTogether(isGraduated);
  if (!isGraduated || hasNoSpace(error)) return 'me';
  // An older answer may not hold any more.
  if (!data || error) return 'unknown';
  return data.sharedSince ? { partner: data.partner.firstName } : 'me';
}

/** The days on which both share, while both do. */
export function useSharedDays() {
  return useInfiniteQuery({
    queryKey: daysKey,
    queryFn: ({ pageParam, signal }) =>
      unwrapPage(api.GET('/api/together/days', { params: { query: { cursor: pageParam } }, signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    select: ({ pages }: InfiniteData<{ items: SharedDay[] }>) => pages.flatMap(({ items }) => items),
    gcTime: 0,
    networkMode: 'always',
  });
}

/** Begins or ends to share the own Love Pulse. */
export async function setShares(shares: boolean): Promise<void> {
  if (!shares) queryClient.removeQueries({ queryKey: daysKey });
  const together: Together = await unwrap(api.PUT('/api/together', { body: { shares } }));
  queryClient.setQueryData([...key, 'space'], together);
}
