/** A change of the member's email address, which the server keeps until both addresses are confirmed. */
import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client.ts';
import type { EmailChange, EmailChangeState } from '@/api/types.ts';
import { signalDetails } from '@/session/passkeys.ts';
import { queryClient } from '@/session/query.ts';
import { refreshMe } from '@/session/session.ts';

const key = ['email-change'];

/** Returns the unfinished change; its data is null without one. */
export function useEmailChange() {
  return useQuery({
    queryKey: key,
    queryFn: async (): Promise<EmailChange | null> => (await unwrap(api.GET('/api/auth/email'))).change,
    staleTime: 0,
  });
}

export const refreshEmailChange = (): Promise<void> => queryClient.invalidateQueries({ queryKey: key });

const store = ({ change }: EmailChangeState) => queryClient.setQueryData(key, change);

/** Mails a code to the new address and another to the current one. */
export async function startEmailChange(email: string): Promise<void> {
  store(await unwrap(api.POST('/api/auth/email', { body: { email } })));
}

/** Sends the code from one of the two addresses, and returns whether it was the last one. */
export async function confirmEmail(address: 'new' | 'current', code: string): Promise<boolean> {
  const state = await unwrap(api.POST('/api/auth/email/confirm', { body: { address, code } }));
  if (state.changed) {
    await refreshMe();
    void unwrap(api.GET('/api/auth/user')).then(signalDetails);
  }
  store(state);
  return state.changed;
}

export async function waitForEmail(): Promise<void> {
  store(await unwrap(api.POST('/api/auth/email/wait')));
}

export async function cancelEmailChange(): Promise<void> {
  await unwrap(api.DELETE('/api/auth/email'));
  queryClient.setQueryData(key, null);
}
