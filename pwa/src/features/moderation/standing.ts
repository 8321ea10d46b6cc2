import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/api/client.ts';
import type { Me, Standing } from '@/api/types.ts';
import { formatDate, formatTime } from '@/base/format.ts';
import { queryClient } from '@/session/query.ts';

/** How often the member's standing is read while the account is restricted, in milliseconds. */
const POLL_MS = 30_000;

/** Why the account is restricted. It is in memory only. */
export const standingQuery = queryOptions({
  queryKey: ['standing'],
  queryFn: (): Promise<Standing> => unwrap(api.GET('/api/users/me/standing')),
  staleTime: 0,
  gcTime: 0,
  refetchInterval: POLL_MS,
  refetchOnWindowFocus: true,
});

/** What moderators decided about the account. It is in memory only. */
export const decisionsQuery = queryOptions({
  queryKey: ['decisions'],
  queryFn: () => unwrap(api.GET('/api/users/me/decisions')),
  staleTime: 0,
  gcTime: 0,
});

export async function sendAppeal(sanctionId: string, text: string): Promise<void> {
  await unwrap(
    api.PUT('/api/users/me/appeals/{id}', { params: { path: { id: sanctionId } }, body: { text } }),
  );
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: standingQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: decisionsQuery.queryKey }),
  ]);
}

export async function sendStatement(text: string): Promise<void> {
  await unwrap(api.PUT('/api/users/me/statement', { body: { text } }));
  await queryClient.invalidateQueries({ queryKey: standingQuery.queryKey });
}

type ProfileStatus = Me['profileStatus'];

/** Returns the title of the screen of a restricted account; `standing` is undefined before the server has told it. */
export function describeRestriction(status: ProfileStatus, standing?: Standing): string {
  if (status === 'under_review') return 'Your profile is under review';
  const sanction = standing?.sanction;
  if (sanction?.kind === 'ban') return 'Your account is suspended for good';
  if (!sanction?.suspendedUntil) return 'Your account is suspended';
  const end = sanction.suspendedUntil;
  return `Your account is suspended until ${formatDate(end)}, ${formatTime(end)}`;
}

const describeEnd = (until: string | null) =>
  until
    ? ` If nobody has decided by ${formatDate(until)}, ${formatTime(until)}, your profile is shown again.`
    : '';

/** Returns what the restriction means. */
export function describeEffect(status: ProfileStatus, standing: Standing): string {
  if (standing.underReport)
    return `We've received a serious report about your account. Until a moderator has looked into it, your profile isn't shown, and Heartward is paused for you. That doesn't mean that you have done anything wrong: we do this with every report of its kind, before anybody has read it.${describeEnd(standing.hiddenUntil)} We'll email you the decision.`;
  if (status === 'under_review')
    return "Until that ends, your profile isn't shown, and you can't use Heartward.";
  return standing.sanction?.kind === 'ban'
    ? "Your profile isn't shown, and you can't use Heartward anymore."
    : "Until then, your profile isn't shown, and you can't use Heartward.";
}
