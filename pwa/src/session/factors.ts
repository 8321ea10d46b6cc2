/** What the member can confirm their identity with, and the state of an admin's second factor. */
import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client.ts';
import type { Factors } from '@/api/types.ts';
import { queryClient } from './query.ts';

const factorsQuery = {
  queryKey: ['factors'],
  queryFn: (): Promise<Factors> => unwrap(api.GET('/api/auth/factors')),
  staleTime: 0,
  gcTime: 0,
};

/** Returns the factors; never loads them unless `enabled`. */
export const useFactors = (enabled = true) => useQuery({ ...factorsQuery, enabled });

/** Fetches the factors; undefined if that fails. */
export const fetchFactors = (): Promise<Factors | undefined> =>
  queryClient.fetchQuery(factorsQuery).catch(() => undefined);

export const refreshFactors = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: factorsQuery.queryKey });
