/** Requests that more than one feature makes; each feature's own are in its requests.ts. */
import { api, unwrap } from './client.ts';

/** The intention tags that admins keep. */
export const intentionTagsQuery = {
  queryKey: ['intention-tags'],
  queryFn: () => unwrap(api.GET('/api/settings/intention-tags')),
};

/** Has a sign-in code mailed; says nothing about whether the address has an account. */
export async function requestCode(email: string): Promise<void> {
  await unwrap(api.POST('/api/auth/code', { body: { email } }));
}
