import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client.ts';
import type { MailProblem } from '@/api/types.ts';
import { queryClient } from '@/session/query.ts';
import { refreshMe } from '@/session/session.ts';

const key = ['mail-problem'];

/** Returns why the member's address takes no mail: null if it takes mail, undefined before the response. */
export function useMailProblem(): MailProblem | null | undefined {
  return useQuery({ queryKey: key, queryFn: () => unwrap(api.GET('/api/mail/problem')) }).data?.problem;
}

/** Fetches it again, and whether the account has a problem. */
export function refreshMailProblem(): void {
  void refreshMe();
  void queryClient.invalidateQueries({ queryKey: key });
}

/** Lets the server check the address by a mail. */
export async function checkAddress(): Promise<void> {
  queryClient.setQueryData(key, await unwrap(api.POST('/api/mail/problem/check')));
}
