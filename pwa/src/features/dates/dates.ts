/** What a member does with dates. Each step goes to the server at once; what it answers is kept on the device. */
import { api, unwrap } from '@/api/client.ts';
import { ApiError } from '@/api/request.ts';
import type { PlannedDate } from '@/api/types.ts';
import { useCached, useLive } from '@/offline/store/cached.ts';
import { getDb, type HeartwardDb } from '@/offline/store/db.ts';
import {
  continuePast,
  fetchDate,
  isUpcoming,
  keepDates,
  nextPast,
  refreshDates,
} from '@/offline/sync/dates.ts';

export type Plan = { place: string; at: string; timeZone: string; note: string };
export type Answer = 'accept' | 'decline' | 'cancel';
export type Feedback = { met: 'yes' | 'no' | 'not_yet'; feltSafe?: boolean; note?: string };

const DAY_MS = 86_400_000;
const ASK_AFTER_MS = 3 * 3_600_000;

/** Whether the other member waits for this member's answer. */
export const isAsked = (date: PlannedDate, now = Date.now()) =>
  date.status === 'proposed' && date.proposedBy === date.user.id && Date.parse(date.at) > now;

/** Whether it may still be changed or called off. */
export const isOpen = ({ status, at }: PlannedDate, now = Date.now()) =>
  (status === 'proposed' || status === 'accepted') && Date.parse(at) > now;

/** Whether to ask if the two have met; the server has the same rule, and a device may know it first. */
export function isFeedbackDue({ status, at, feedback }: PlannedDate, now = Date.now()): boolean {
  const since = now - Date.parse(at);
  if (status !== 'accepted' || since < ASK_AFTER_MS || since > 30 * DAY_MS) return false;
  return !feedback || (feedback.met === 'not_yet' && now - Date.parse(feedback.answeredAt) > 3 * DAY_MS);
}

export const useDate = (id: string) => useLive(async (db) => (await db.dates.get(id)) ?? null, [id]);

type Dates = { upcoming: PlannedDate[]; past: PlannedDate[]; more: boolean };

async function readDates(db: HeartwardDb): Promise<Dates> {
  const all = await db.dates.orderBy('at').toArray();
  return {
    upcoming: all.filter((date) => isUpcoming(date)),
    past: all.filter((date) => !isUpcoming(date)).reverse(),
    more: (await nextPast(db)) !== null,
  };
}

export const useDates = () =>
  useCached({
    key: ['dates'],
    read: readDates,
    refresh: refreshDates,
    isEmpty: ({ upcoming, past }) => upcoming.length + past.length === 0,
    staleMs: 0,
  });

export const morePast = () => continuePast(getDb());

/** Asks the server and keeps its answer. A date that has moved meanwhile is read anew before the refusal is shown. */
async function keep(call: Promise<PlannedDate>, id?: string): Promise<PlannedDate> {
  const db = getDb();
  const since = Date.now();
  try {
    const date = await call;
    await keepDates(db, [date], since);
    return date;
  } catch (error) {
    if (id && error instanceof ApiError && [404, 409].includes(error.status))
      await fetchDate(db, id).catch(() => undefined);
    throw error;
  }
}

/** Proposes a date; the same clientId again is the same date, should the first answer have been lost. */
export const propose = (conversationId: string, clientId: string, plan: Plan) =>
  keep(
    unwrap(
      api.POST('/api/conversations/{id}/dates', {
        params: { path: { id: conversationId } },
        body: { ...plan, clientId },
      }),
    ),
  );

export const change = ({ id, revision }: PlannedDate, plan: Plan) =>
  keep(unwrap(api.PUT('/api/dates/{id}', { params: { path: { id } }, body: { ...plan, revision } })), id);

export const answer = ({ id, revision }: PlannedDate, to: Answer) =>
  keep(unwrap(api.POST(`/api/dates/{id}/${to}`, { params: { path: { id } }, body: { revision } })), id);

export const tell = ({ id }: PlannedDate, said: Feedback) =>
  keep(unwrap(api.PUT('/api/dates/{id}/feedback', { params: { path: { id } }, body: said })), id);

export async function share({ id }: PlannedDate, hours: number) {
  const link = await unwrap(
    api.POST('/api/dates/{id}/shares', { params: { path: { id } }, body: { hours } }),
  );
  await fetchDate(getDb(), id).catch(() => undefined);
  return link;
}

export async function endSharing({ id }: PlannedDate): Promise<void> {
  await unwrap(api.DELETE('/api/dates/{id}/shares', { params: { path: { id } } }));
  await fetchDate(getDb(), id).catch(() => undefined);
}

/** What to say when a step did not succeed. */
export function sorry(error: unknown): string {
  if (error instanceof ApiError && error.isNetwork)
    return 'Planning a date needs a connection, and there is none right now. Please try again when you are back online.';
  return error instanceof Error ? error.message : 'That did not work. Please try again.';
}

/** Where the calendar file is. */
export const calendarPath = ({ id }: PlannedDate) => `/api/dates/${id}/ics`;
