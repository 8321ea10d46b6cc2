import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client.ts';
import type { Verification } from '@/api/types.ts';
import type { Send } from '@/media/useSend.ts';
import { queryClient } from '@/session/query.ts';
import { uploadSelfie } from './profileUpload.ts';

const key = ['verification'];

export function useVerification() {
  return useQuery({
    queryKey: key,
    queryFn: (): Promise<Verification> => unwrap(api.GET('/api/verification')),
    // A moderator changes it.
    staleTime: 30_000,
  });
}

export const refreshVerification = (): Promise<void> => queryClient.invalidateQueries({ queryKey: key });

/** Requests a pose from the server. */
export async function requestPose(): Promise<void> {
  queryClient.setQueryData(key, await unwrap(api.POST('/api/verification')));
}

export async function sendSelfie(photo: Blob, ...sending: Parameters<Send>): Promise<void> {
  await uploadSelfie(photo, ...sending);
  await refreshVerification();
}
