import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client.ts';
import type { Session } from '@/api/types.ts';

export const sessionsKey = ['sessions'];

export function useSessions() {
  return useQuery({
    queryKey: sessionsKey,
    queryFn: (): Promise<Session[]> => unwrap(api.GET('/api/auth/sessions')),
    staleTime: 0,
  });
}

export async function revokeSession(id: string): Promise<void> {
  await unwrap(api.DELETE('/api/auth/sessions/{id}', { params: { path: { id } } }));
}

/** Signs out all other devices. */
export async function revokeOtherSessions(): Promise<void> {
  await unwrap(api.DELETE('/api/auth/sessions'));
}

/** Confirms the member's identity, for changes of the next 10 minutes that need it. */
export async function prove(
  proof: { password: string } | { code: string } | { appCode: string } | { recoveryCode: string },
): Promise<void> {
  await unwrap(api.POST('/api/auth/proof', { body: proof }));
}

export async function setPassword(password: string): Promise<void> {
  await unwrap(api.POST('/api/auth/password', { body: { password } }));
}
