/** Requests of more than one feature; those of a single feature are in its requests.ts. */
import { api, unwrap } from './client.ts';
import type { Place, Verification } from './types.ts';

/** The intention tags, a setting of the installation. */
export const intentionTagsQuery = {
  queryKey: ['intention-tags'],
  queryFn: () => unwrap(api.GET('/api/settings/intention-tags')),
};

/** The words of each list and the prompt questions to choose from. */
export const profileOptionsQuery = {
  queryKey: ['profile-options'],
  queryFn: () => unwrap(api.GET('/api/settings/profile-options')),
};

/** The state of the member's verification. */
export const verificationQuery = {
  queryKey: ['verification'],
  queryFn: (): Promise<Verification> => unwrap(api.GET('/api/verification')),
  // A moderator changes it.
  staleTime: 30_000,
};

/** Requests a mailed sign-in code. The response is the same with and without an account. */
export async function requestCode(email: string): Promise<void> {
  await unwrap(api.POST('/api/auth/code', { body: { email } }));
}

/**
 * Returns the country of the browser's language, such as US; undefined for a language of several countries (es-419), and
 * for one that is no language tag, as in WebKit with the POSIX locale (C).
 */
function browserCountry(): string | undefined {
  try {
    const { region } = new Intl.Locale(navigator.language).maximize();
    return region?.length === 2 ? region : undefined;
  } catch {
    return undefined;
  }
}

/** Returns towns that begin with a text, those of the browser's country and large ones first, for a combobox. */
export async function suggestTowns(
  q: string,
  signal: AbortSignal,
): Promise<{ key: string; text: string; value: Place }[]> {
  const places = await unwrap(
    api.GET('/api/places', { params: { query: { q, country: browserCountry() } }, signal }),
  );
  return places.map((place) => ({
    key: [place.city, place.state, place.country].join('|'),
    text: place.label,
    value: place,
  }));
}
