/** Requests that more than one feature makes; each feature's own are in its requests.ts. */
import { api, unwrap } from './client.ts';
import type { Place } from './types.ts';

/** The intention tags that admins keep. */
export const intentionTagsQuery = {
  queryKey: ['intention-tags'],
  queryFn: () => unwrap(api.GET('/api/settings/intention-tags')),
};

/** The words and questions that profiles choose from. */
export const profileOptionsQuery = {
  queryKey: ['profile-options'],
  queryFn: () => unwrap(api.GET('/api/settings/profile-options')),
};

/** Has a sign-in code mailed; says nothing about whether the address has an account. */
export async function requestCode(email: string): Promise<void> {
  await unwrap(api.POST('/api/auth/code', { body: { email } }));
}

/** Towns that begin with what was typed, as a combobox shows them; the largest first. */
export async function suggestTowns(
  q: string,
  signal: AbortSignal,
): Promise<{ key: string; text: string; value: Place }[]> {
  const places = await unwrap(api.GET('/api/places', { params: { query: { q } }, signal }));
  return places.map((place) => ({
    key: [place.city, place.state, place.country].join('|'),
    text: place.label,
    value: place,
  }));
}
