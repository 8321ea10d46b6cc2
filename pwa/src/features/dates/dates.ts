/** Actions on dates. Each is sent to the server at once, and its response is stored on the device. */

import { api, unwrap } from '@/api/client.ts';
import { describeError } from '@/api/errors.ts';
import { ApiError } from '@/api/request.ts';
import type { PlannedDate } from '@/api/types.ts';
import { DAY_MS } from '@/base/format.ts';
import { fetchDate, isUpcoming, readPastCursor, refreshDates, storeDates } from '@/domain/plannedDates.ts';
import { useCached, useLive } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';

export type Plan = { place: string; at: string; timeZone: string; note: string };
export type Response = 'accept' | 'decline' | 'cancel';
export type Feedback = { met: 'yes' | 'no' | 'not_yet'; feltSafe?: boolean; note?: string };

const ASK_AFTER_MS = 3 * 3_600_000;

/** Whether the date awaits this member's response. */
export const awaitsResponse = (date: PlannedDate, now = Date.now()) =>
  date.status === 'proposed' && date.proposedBy === date.user.id && Date.parse(date.at) > now;

/** Whether the date can still be changed or cancelled. */
export const isOpen = ({ status, at }: PlannedDate, now = Date.now()) =>
  (status === 'proposed' || status === 'accepted') && Date.parse(at) > now;

/** Whether to ask if the members have met. The server has the same rule. */
export function isFeedbackDue({ status, at, feedback }: PlannedDate, now = Date.now()): boolean {
  const since = now - Date.parse(at);
  if (status !== 'accepted' || since < ASK_AFTER_MS || since > 30 * DAY_MS) return false;
  return !feedback || (feedback.met === 'not_yet' && now - Date.parse(feedback.answeredAt) > 3 * DAY_MS);
}

export const useDate = (id: string) => useLive(async (db) => (await db.dates.get(id)) ?? null, [id]);

export type Dates = { upcoming: PlannedDate[]; past: PlannedDate[]; hasMore: boolean };

async function readDates(db: HeartwardDb): Promise<Dates> {
  const all = await db.dates.orderBy('at').toArray();
  return {
    upcoming: all.filter((date) => isUpcoming(date)),
    past: all.filter((date) => !isUpcoming(date)).reverse(),
    hasMore: (await readPastCursor(db)) !== null,
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

/** Stores the date in a response. After a conflict the date is fetched again before the error is thrown. */
async function storeResult(db: HeartwardDb, call: Promise<PlannedDate>, id?: string): Promise<PlannedDate> {
  const since = Date.now();
  try {
    const date = await call;
    await storeDates(db, [date], since);
    return date;
  } catch (error) {
    if (id && error instanceof ApiError && [404, 409].includes(error.status))
      await fetchDate(db, id).catch(() => undefined);
    throw error;
  }
}

/** Proposes a date. A retry with the same clientId returns the first result. */
export const proposeDate = (db: HeartwardDb, conversationId: string, clientId: string, plan: Plan) =>
  storeResult(
    db,
    unwrap(
      api.POST('/api/conversations/{id}/dates', {
        params: { path: { id: conversationId } },
        body: { ...plan, clientId },
      }),
    ),
  );

export const changeDate = (db: HeartwardDb, { id, revision }: PlannedDate, plan: Plan) =>
  storeResult(
    db,
    unwrap(api.PUT('/api/dates/{id}', { params: { path: { id } }, body: { ...plan, revision } })),
    id,
  );

export const respondTo = (db: HeartwardDb, { id, revision }: PlannedDate, to: Response) =>
  storeResult(
    db,
    unwrap(api.POST(`/api/dates/{id}/${to}`, { params: { path: { id } }, body: { revision } })),
    id,
  );

export const saveFeedback = (db: HeartwardDb, { id }: PlannedDate, feedback: Feedback) =>
  storeResult(
    db,
    unwrap(api.PUT('/api/dates/{id}/feedback', { params: { path: { id } }, body: feedback })),
    id,
  );

export async function shareDate(db: HeartwardDb, { id }: PlannedDate, hours: number) {
  const link = await unwrap(
    api.POST('/api/dates/{id}/shares', { params: { path: { id } }, body: { hours } }),
  );
  await fetchDate(db, id).catch(() => undefined);
  return link;
}

export async function endSharing(db: HeartwardDb, { id }: PlannedDate): Promise<void> {
  await unwrap(api.DELETE('/api/dates/{id}/shares', { params: { path: { id } } }));
  await fetchDate(db, id).catch(() => undefined);
}

/** Returns a text for the member about a failed action. */
export function describeFailure(error: unknown): string {
  if (error instanceof ApiError && error.isNetwork)
    return "Planning a date needs a connection. Please try again when you're back online.";
  return describeError(error, 'That did not work. Please try again.');
}

/** Returns the address of the calendar file. */
export const calendarPath = ({ id }: PlannedDate) => `/api/dates/${id}/ics`;
