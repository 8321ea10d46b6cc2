import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '@/api/request.ts';

export const meKey = ['me'] as const;

/** Requests are always tried, also when navigator.onLine is false, and never retried automatically. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error, query) {
      // The session has ended on the server: check again who is signed in.
      const signedOut = error instanceof ApiError && error.status === 401;
      if (signedOut && query.queryKey[0] !== meKey[0])
        void queryClient.invalidateQueries({ queryKey: meKey });
    },
  }),
  defaultOptions: {
    queries: {
      networkMode: 'always',
      retry: false,
      refetchOnWindowFocus: false,
      staleTime: Number.POSITIVE_INFINITY,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});
