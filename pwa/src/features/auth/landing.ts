import { api, unwrap } from '@/api/client.ts';

/** The variant of the landing page. A plain object, because queryOptions would load a chunk more before the page. */
export const landingQuery = {
  queryKey: ['landing'] as const,
  queryFn: async () => (await unwrap(api.GET('/api/settings/landing'))).landing,
};
