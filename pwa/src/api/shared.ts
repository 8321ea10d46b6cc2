/** Requests of more than one feature; those of a single feature are in its requests.ts. */
import { api, unwrap } from './client.ts';
import type { Place } from './types.ts';

/** The intention tags, which admins maintain. */
export const intentionTagsQuery = {
  queryKey: ['intention-tags'],
  queryFn: () => unwrap(api.GET('/api/settings/intention-tags')),
};

/** The traits, preferences and prompt questions to choose from. */
export const profileOptionsQuery = {
  queryKey: ['profile-options'],
  queryFn: () => unwrap(api.GET('/api/settings/profile-options')),
};

/** Requests a mailed sign-in code. The response is the same with and without an account. */
export async function requestCode(email: string): Promise<void> {
  await unwrap(api.POST('/api/auth/code', { body: { email } }));
}

/** Returns towns that begin with a text, largest first, as suggestions of a combobox. */
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
