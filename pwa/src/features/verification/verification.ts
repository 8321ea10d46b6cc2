import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client.ts';
import { verificationQuery } from '@/api/sharedRequests.ts';
import type { Send } from '@/media/useSend.ts';
import { sendProfileFile } from '@/offline/outbox/profileFile.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { queryClient } from '@/session/query.ts';

export function useVerification() {
  return useQuery(verificationQuery);
}

/** Requests a pose from the server. */
export async function requestPose(): Promise<void> {
  queryClient.setQueryData(verificationQuery.queryKey, await unwrap(api.POST('/api/verification')));
}

export async function sendSelfie(db: HeartwardDb, photo: Blob, ...sending: Parameters<Send>): Promise<void> {
  await sendProfileFile(db, { method: 'PUT', path: '/api/verification/selfie', bytes: photo }, ...sending);
  await queryClient.invalidateQueries(verificationQuery);
}
