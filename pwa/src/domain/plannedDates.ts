/** The planned dates, mirrored on the device. Changes need a connection. */
import { api, unwrap, unwrapPage } from '@/api/client.ts';
import { ApiError } from '@/api/request.ts';
import type { PlannedDate } from '@/api/types.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, setMeta } from '@/offline/store/meta.ts';
import { purgedSince } from '@/offline/store/purge.ts';
import { withQuotaRetry } from '@/offline/store/quota.ts';
import {
  fetchAllPages,
  fetchNextPage,
  type Mirror,
  type Page,
  refreshMirror,
} from '@/offline/sync/mirror.ts';

/** A date counts as upcoming for this time after its start. */
const DURATION_MS = 3 * 3_600_000;

/** Whether a date is proposed or accepted, and not over. The server has the same rule. */
export const isUpcoming = ({ status, at }: PlannedDate, now = Date.now()) =>
  (status === 'proposed' || status === 'accepted') && Date.parse(at) > now - DURATION_MS;

/** Whether the date counts as planned. The server has the same rule. */
const isPlanned = ({ status, feedback }: PlannedDate) => status === 'accepted' && feedback?.met !== 'no';

/** Returns the number of planned dates on this device, which may lack old ones. */
export const countPlanned = (db: HeartwardDb): Promise<number> => db.dates.filter(isPlanned).count();

/** Stores dates that were requested at `since`. An older revision never replaces a newer one. */
export const storeDates = (db: HeartwardDb, dates: readonly PlannedDate[], since: number): Promise<void> =>
  withQuotaRetry(db, () =>
    db.transaction('rw', db.dates, async () =>
      putNewer(
        db,
        dates.filter(({ user }) => !purgedSince(db, user.id, since)),
      ),
    ),
  );

async function putNewer(db: HeartwardDb, dates: readonly PlannedDate[]): Promise<void> {
  for (const date of dates) {
    const known = await db.dates.get(date.id);
    if (!known || known.revision <= date.revision) await db.dates.put(date);
  }
}

/** Fetches one date, and removes it if the server responds with 404. */
export async function fetchDate(db: HeartwardDb, id: string): Promise<void> {
  const since = Date.now();
  try {
    await storeDates(db, [await unwrap(api.GET('/api/dates/{id}', { params: { path: { id } } }))], since);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    await db.dates.delete(id);
  }
}

const fetchPage = (when: 'upcoming' | 'past', cursor: string | undefined, signal?: AbortSignal) =>
  unwrapPage(api.GET('/api/dates', { params: { query: { when, cursor } }, signal }));

/**
 * A page of past dates; the first one also contains all upcoming dates. `gone` are the ids of stored dates it lacks.
 */
type DatesPage = Page<PlannedDate> & { gone: string[] };

async function fetchFirstPage(db: HeartwardDb, signal?: AbortSignal): Promise<DatesPage> {
  // Read before the requests, so that a date stored meanwhile does not count as gone.
  const before = await db.dates.toArray();
  const upcoming = await fetchAllPages((cursor) => fetchPage('upcoming', cursor, signal));
  const past = await fetchPage('past', undefined, signal);
  const items = [...upcoming, ...past.items];
  const ids = new Set(items.map(({ id }) => id));
  // Older dates are on later pages.
  const oldest = past.next === null ? '' : (past.items.at(-1)?.at ?? '');
  const gone = before.filter((date) => !ids.has(date.id) && (isUpcoming(date) || date.at > oldest));
  return { items, next: past.next, gone: gone.map(({ id }) => id) };
}

export const readPastCursor = async (db: HeartwardDb) => (await getMeta(db, 'dates:next')) ?? null;

async function storePage(db: HeartwardDb, { items, next, gone }: DatesPage): Promise<void> {
  await db.dates.bulkDelete(gone);
  await putNewer(db, items);
  await setMeta(db, 'dates:next', next);
}

const mirror: Mirror<PlannedDate, DatesPage> = {
  fetch: async (db, cursor, signal) =>
    cursor ? { ...(await fetchPage('past', cursor, signal)), gone: [] } : fetchFirstPage(db, signal),
  memberOf: ({ user }) => user.id,
  readCursor: readPastCursor,
  tables: (db) => [db.dates],
  replace: storePage,
  append: storePage,
};

/** Fetches all upcoming dates and the first page of past ones. */
export const refreshDates = (db: HeartwardDb, signal?: AbortSignal) => refreshMirror(db, mirror, signal);

/** Fetches the next page of past dates. */
export const fetchNextPast = (db: HeartwardDb) => fetchNextPage(db, mirror);
