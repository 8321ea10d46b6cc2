import { type InfiniteData, keepPreviousData, queryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { api, nextCursor, parseCount, unwrap, unwrapPage } from '@/api/client.ts';
import { ApiError } from '@/api/request.ts';
import type {
  AppealDecision,
  AuditEntry,
  DigestRun,
  Flag,
  FlagDecision,
  Ground,
  KeyFigures,
  ListedMember,
  ManagedMember,
  MemberQuery,
  OpenedAppeal,
  OpenedCouple,
  OpenedProfile,
  OpenedReport,
  PendingSelfie,
  QueuedAppeal,
  QueuedCouple,
  QueuedFlag,
  QueuedProfile,
  QueuedReport,
  QueuedVerification,
  ReportDecision,
  RowResult,
  SiteSettings,
  StatusChange,
} from '@/api/types.ts';
import { queryClient } from '@/session/query.ts';

type Page<Row> = { items: Row[]; next: string | null };

export const REFRESH_MS = 60_000;

/** Returns the pages of a list loaded so far. They are in memory only, and are refreshed every minute. */
export function useQueue<Row>(key: string[], load: (cursor?: string) => Promise<Page<Row>>) {
  return useInfiniteQuery({
    queryKey: ['admin', ...key],
    queryFn: ({ pageParam }) => load(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    select: ({ pages }: InfiniteData<Page<Row>>) => pages.flatMap(({ items }) => items),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: true,
  });
}

/** Fetches a list again after a decision. */
export const refreshQueue = (...key: string[]): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ['admin', ...key] });

/** The status of reports, or the open ones about members who may be under 18. */
export type ReportFilter = QueuedReport['status'] | 'underage';

export const useReports = (filter: ReportFilter) => {
  const query =
    filter === 'underage' ? ({ status: 'pending', reason: 'underage' } as const) : { status: filter };
  return useQueue<QueuedReport>(['reports', filter], (cursor) =>
    unwrapPage(api.GET('/api/admin/reports', { params: { query: { ...query, cursor } } })),
  );
};

/** The number of reports of each status, refreshed with the list. */
export const reportCountsQuery = queryOptions({
  queryKey: ['admin', 'reports', 'counts'],
  queryFn: () => unwrap(api.GET('/api/admin/reports/counts')),
  staleTime: 0,
  gcTime: 0,
  refetchInterval: REFRESH_MS,
});

/** Opens a report; the reason is recorded in the audit log. */
export const openReport = (id: string, reason: string): Promise<OpenedReport> =>
  unwrap(api.POST('/api/admin/reports/{id}/open', { params: { path: { id } }, body: { reason } }));

export async function decideReport(id: string, body: ReportDecision): Promise<void> {
  await unwrap(api.PUT('/api/admin/reports/{id}', { params: { path: { id } }, body }));
}

/** Asks the reported member to show the age; the reason is recorded in the audit log. */
export async function askAge(id: string, reason: string): Promise<void> {
  await unwrap(api.PUT('/api/admin/reports/{id}/age-check', { params: { path: { id } }, body: { reason } }));
}

export type AppealStatus = 'pending' | 'decided';

export const useAppeals = (status: AppealStatus) =>
  useQueue<QueuedAppeal>(['appeals', status], (cursor) =>
    unwrapPage(api.GET('/api/admin/appeals', { params: { query: { status, cursor } } })),
  );

/** The number of pending appeals, refreshed with the list. */
export const appealCountsQuery = queryOptions({
  queryKey: ['admin', 'appeals', 'counts'],
  queryFn: () => unwrap(api.GET('/api/admin/appeals/counts')),
  staleTime: 0,
  gcTime: 0,
  refetchInterval: REFRESH_MS,
});

/** Opens an appeal; the reason is recorded in the audit log. */
export const openAppeal = (id: string, reason: string): Promise<OpenedAppeal> =>
  unwrap(api.POST('/api/admin/appeals/{id}/open', { params: { path: { id } }, body: { reason } }));

export async function decideAppeal(id: string, body: AppealDecision): Promise<void> {
  await unwrap(api.PUT('/api/admin/appeals/{id}', { params: { path: { id } }, body }));
}

export const useVerifications = () =>
  useQueue<QueuedVerification>(['verifications'], (cursor) =>
    unwrapPage(api.GET('/api/admin/verifications', { params: { query: { cursor } } })),
  );

/** Opens a selfie with the photos; the reason is recorded in the audit log. */
export const openVerification = (id: string, reason: string): Promise<PendingSelfie> =>
  unwrap(api.POST('/api/admin/verifications/{id}/open', { params: { path: { id } }, body: { reason } }));

export async function decideVerification(
  id: string,
  decision: 'approve' | 'reject',
  reason: string,
): Promise<void> {
  const body = { decision, reason };
  await unwrap(api.PUT('/api/admin/verifications/{id}', { params: { path: { id } }, body }));
}

export const useGraduations = () =>
  useQueue<QueuedCouple>(['graduations'], (cursor) =>
    unwrapPage(api.GET('/api/admin/graduations/pending', { params: { query: { cursor } } })),
  );

/** Opens a couple that waits; the reason is recorded in the audit log. */
export const openGraduation = (id: string, reason: string): Promise<OpenedCouple> =>
  unwrap(api.POST('/api/admin/graduations/{id}/open', { params: { path: { id } }, body: { reason } }));

/** Approves a couple, or rejects it with the reason for both. */
export async function decideGraduation(
  id: string,
  decision: 'approve' | 'reject',
  reason: string,
): Promise<void> {
  const request = { params: { path: { id } }, body: { reason } };
  await unwrap(
    decision === 'approve'
      ? api.PUT('/api/admin/graduations/{id}/approve', request)
      : api.PUT('/api/admin/graduations/{id}/reject', request),
  );
}

export const useFlags = () =>
  useQueue<QueuedFlag>(['flags'], (cursor) =>
    unwrapPage(api.GET('/api/admin/flags', { params: { query: { cursor } } })),
  );

/** Opens a flagged message with its context; the reason is recorded in the audit log. */
export const openFlag = (id: string, reason: string): Promise<Flag> =>
  unwrap(api.POST('/api/admin/flags/{id}/open', { params: { path: { id } }, body: { reason } }));

/** Decides on a flag; repeating it changes nothing. */
export async function decideFlag(id: string, body: FlagDecision): Promise<void> {
  await unwrap(api.PUT('/api/admin/flags/{id}', { params: { path: { id } }, body }));
}

export const useProfileReviews = () =>
  useQueue<QueuedProfile>(['profiles'], (cursor) =>
    unwrapPage(api.GET('/api/admin/profile-reviews', { params: { query: { cursor } } })),
  );

/** Opens a profile that waits; the reason is recorded in the audit log. */
export const openProfileReview = (id: string, reason: string): Promise<OpenedProfile> =>
  unwrap(api.POST('/api/admin/profile-reviews/{id}/open', { params: { path: { id } }, body: { reason } }));

export type ProfileDecision = 'accept' | 'decline';

/** Decides on profiles and first photos that the moderator has opened; repeating it changes nothing. */
export const decideProfileReviews = (
  ids: string[],
  decision: ProfileDecision,
  reason: string,
): Promise<RowResult[]> =>
  unwrap(api.POST('/api/admin/profile-reviews/decide', { body: { ids, decision, reason } }));

/**
 * Decides on rows with a request for each. The refusal of a row that is unknown, decided, not opened or for somebody else is
 * part of its result; any other failure rejects, with the rows before it decided.
 */
export async function decideEach(ids: string[], decide: (id: string) => Promise<void>): Promise<RowResult[]> {
  const results: RowResult[] = [];
  for (const id of ids) {
    try {
      await decide(id);
      results.push({ id, stored: true, problem: '' });
    } catch (failure) {
      if (!isAboutRow(failure)) throw failure;
      results.push({ id, stored: false, problem: failure.detail, code: failure.code });
    }
  }
  return results;
}

const isAboutRow = (failure: unknown): failure is ApiError =>
  failure instanceof ApiError &&
  (failure.status === 404 ||
    failure.status === 409 ||
    failure.code === 'for_another_admin' ||
    failure.code === 'for_admins');

export type MemberFilter = Omit<MemberQuery, 'adminEmail' | '$schema'>;

/** Returns a page of members. The filters are in the body, because addresses are logged. */
export async function listMembers(
  filter: MemberFilter,
  cursor?: string,
): Promise<{ items: ListedMember[]; next: string | null; total?: number }> {
  const { data, response } = await api.POST('/api/admin/users', {
    params: { query: { cursor } },
    body: filter,
  });
  return {
    items: data,
    next: nextCursor(response.headers.get('Link')),
    total: parseCount(response.headers.get('X-Total-Count'))?.count,
  };
}

export type AuditFilter = {
  action?: string;
  adminId?: string;
  subjectId?: string;
  from?: string;
  until?: string;
};

export const listAudit = (filter: AuditFilter, cursor?: string) =>
  unwrapPage<AuditEntry>(api.GET('/api/admin/audit', { params: { query: { ...filter, cursor } } }));

export const summaryQuery = queryOptions({
  queryKey: ['admin', 'messages'],
  queryFn: () => unwrap(api.GET('/api/admin/messages/summary')),
  staleTime: 0,
  gcTime: 0,
});

/** The numbers of days that admins choose from. */
export const figureRanges = [7, 30, 90] as const;
export type FigureRange = (typeof figureRanges)[number];

/** The figures of the last days. While those of another range are loaded, the former ones stay. */
export const figuresQuery = (days: FigureRange) =>
  queryOptions({
    queryKey: ['admin', 'figures', days],
    queryFn: (): Promise<KeyFigures> =>
      unwrap(api.GET('/api/admin/figures', { params: { query: { days } } })),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });

export const tagsQuery = queryOptions({
  queryKey: ['admin', 'tags'],
  queryFn: () => unwrap(api.GET('/api/admin/settings/intention-tags')),
  staleTime: 0,
  gcTime: 0,
});

export async function saveTags(tags: string[], reason: string): Promise<void> {
  await unwrap(api.PUT('/api/admin/settings/intention-tags', { body: { tags, reason } }));
}

export const settingsQuery = queryOptions({
  queryKey: ['admin', 'settings'],
  queryFn: () => unwrap(api.GET('/api/admin/settings')),
  staleTime: 0,
  gcTime: 0,
});

export async function saveSettings(settings: SiteSettings, reason: string): Promise<void> {
  await unwrap(api.PUT('/api/admin/settings', { body: { ...settings, reason } }));
}

export const memberQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'users', 'one', id],
    queryFn: (): Promise<ManagedMember> =>
      unwrap(api.GET('/api/admin/users/{id}', { params: { path: { id } } })),
    staleTime: 0,
    gcTime: 0,
  });

export async function setStatus(id: string, body: StatusChange): Promise<void> {
  await unwrap(api.PUT('/api/admin/users/{id}/status', { params: { path: { id } }, body }));
}

/** Signs the member out on all devices. */
export async function endSessions(id: string, reason: string): Promise<void> {
  await unwrap(
    api.POST('/api/admin/users/{id}/end-sessions', { params: { path: { id } }, body: { reason } }),
  );
}

/** Requests a link to the job pages, which is valid once, for a minute. */
export const openJobPages = () => unwrap(api.POST('/api/admin/job-pages'));

export async function setFeatured(id: string, featured: boolean, reason: string): Promise<void> {
  await unwrap(
    api.PUT('/api/admin/users/{id}/featured', { params: { path: { id } }, body: { featured, reason } }),
  );
}

/** Mails a warning. Its id is chosen here, so that a repetition is the same warning. */
export async function warnMember(
  id: string,
  warningId: string,
  body: { explanation: string; reason: string; ground?: Ground },
): Promise<void> {
  await unwrap(
    api.PUT('/api/admin/users/{id}/warnings/{warningId}', { params: { path: { id, warningId } }, body }),
  );
}

export const digestQuery = queryOptions({
  queryKey: ['admin', 'digest'],
  queryFn: () => unwrap(api.GET('/api/admin/weekly-digest')),
  staleTime: 0,
  gcTime: 0,
  refetchInterval: ({ state }) => (state.data?.state === 'running' ? 2000 : false),
});

export const startDigest = (): Promise<DigestRun> => unwrap(api.POST('/api/admin/send-weekly-digest'));
