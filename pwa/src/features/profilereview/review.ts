import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, unwrap } from '@/api/client.ts';
import type { ReviewStatus } from '@/api/types.ts';
import { queryClient } from '@/session/query.ts';
import { refreshMe } from '@/session/session.ts';

const key = ['profile-review'];

const REFRESH_MS = 60_000;

/**
 * The query of whether the member's profile or first photo waits for a moderator or was declined. While it is used it is
 * refreshed every minute, and the member's own profile with it after a decision.
 */
export function useReview(): UseQueryResult<ReviewStatus> {
  const query = useQuery({
    queryKey: key,
    queryFn: () => unwrap(api.GET('/api/users/me/review')),
    staleTime: REFRESH_MS / 2,
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: true,
  });
  const isDecided = query.data?.status === 'none';
  useEffect(() => {
    if (isDecided) void refreshMe();
  }, [isDecided]);
  return query;
}

/** Fetches it again, and the member's own profile, after a decision. */
export function refreshReview(): void {
  void refreshMe();
  void queryClient.invalidateQueries({ queryKey: key });
}

/** Submits a declined profile again. */
export async function resubmitProfile(): Promise<void> {
  queryClient.setQueryData(key, await unwrap(api.POST('/api/users/me/review')));
}
