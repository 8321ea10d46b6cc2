import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client.ts';
import { intentionTagsQuery, profileOptionsQuery } from '@/api/sharedRequests.ts';
import type { Me, MePatch } from '@/api/types.ts';

/** Saves changes of the own profile, except for `interestedIn`, which is also a filter. */
export function saveProfile({ prompts, ...patch }: Omit<MePatch, 'interestedIn'>): Promise<Me> {
  const sent = prompts?.map(({ question, answer, voice }) => ({ question, answer, voiceId: voice?.id }));
  return unwrap(api.PATCH('/api/users/me', { body: { ...patch, ...(sent && { prompts: sent }) } }));
}

export function orderPhotos(ids: string[]): Promise<Me> {
  return unwrap(api.PUT('/api/users/me/photos/order', { body: { ids } }));
}

export async function deletePhoto(id: string): Promise<void> {
  await unwrap(api.DELETE('/api/users/me/photos/{id}', { params: { path: { id } } }));
}

/** Sets the description of a picture or recording. */
export function describeMedia(id: string, caption: string): Promise<Me> {
  return unwrap(api.PATCH('/api/users/me/media/{id}', { params: { path: { id } }, body: { caption } }));
}

export async function deleteMedia(id: string): Promise<void> {
  await unwrap(api.DELETE('/api/users/me/media/{id}', { params: { path: { id } } }));
}

/** Returns the words of each list and the prompt questions to choose from; undefined until they are loaded. */
export function useProfileOptions() {
  return useQuery(profileOptionsQuery).data;
}

/**
 * Returns whether the words and tags to choose from are being loaded. Fields with words wait for them, because the words
 * would push what is below.
 */
export function useAreWordsLoading(): boolean {
  const options = useQuery(profileOptionsQuery);
  const tags = useQuery(intentionTagsQuery);
  return options.isLoading || tags.isLoading;
}

export function useIntentionTags(chosen: string[]): string[] {
  const tags = useQuery(intentionTagsQuery);
  return [...new Set([...(tags.data ?? []), ...chosen])];
}
