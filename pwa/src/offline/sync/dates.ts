/** The dates on the device. They are written by the server's answers alone: planning one needs a connection. */
import { api, unwrap, unwrapPage } from '../../api/client.ts';
import { ApiError } from '../../api/request.ts';
import type { PlannedDate } from '../../api/types.ts';
import type { HeartwardDb } from '../store/db.ts';
import { getMeta, setMeta } from '../store/meta.ts';
import { purgedSince } from '../store/purge.ts';
import { withQuotaRetry } from '../store/quota.ts';

/** A date stays on the list of those to come for as long as it may last. */
const LASTS_MS = 3 * 3_600_000;

/** As the server tells them apart: agreed or proposed, and not over. */
export const isUpcoming = ({ status, at }: PlannedDate, now = Date.now()) =>
  (status === 'proposed' || status === 'accepted') && Date.parse(at) > now - LASTS_MS;

/** Keeps dates as the server told them; an older answer never undoes a newer one. */
export async function keepDates(
  db: HeartwardDb,
  dates: readonly PlannedDate[],
  since: number,
): Promise<void> {
  await withQuotaRetry(db, () =>
    db.transaction('rw', db.dates, async () => {
      for (const date of dates) {
        const known = await db.dates.get(date.id);
        if (purgedSince(date.user.id, since) || (known && known.revision > date.revision)) continue;
        await db.dates.put(date);
      }
    }),
  );
}

/** Reads one date anew; one that is no longer the member's goes. */
export async function fetchDate(db: HeartwardDb, id: string): Promise<void> {
  const since = Date.now();
  try {
    await keepDates(db, [await unwrap(api.GET('/api/dates/{id}', { params: { path: { id } } }))], since);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    await db.dates.delete(id);
  }
}

const page = (when: 'upcoming' | 'past', cursor: string | undefined, signal?: AbortSignal) =>
  unwrapPage(api.GET('/api/dates', { params: { query: { when, cursor } }, signal }));

/** Reads all dates to come and the latest of those behind the member. */
export async function refreshDates(db: HeartwardDb, signal?: AbortSignal): Promise<void> {
  const since = Date.now();
  // Before the server is asked: what is stored meanwhile is not gone because it was not told.
  const before = await db.dates.toArray();
  const told: PlannedDate[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { items, next } = await page('upcoming', cursor, signal);
    told.push(...items);
    cursor = next;
  }
  const past = await page('past', undefined, signal);
  told.push(...past.items);
  const ids = new Set(told.map(({ id }) => id));
  // Of what lies behind the page nothing is known; all else that the server did not tell is gone.
  const reach = past.next === null ? '' : (past.items.at(-1)?.at ?? '');
  const gone = before.filter((date) => !ids.has(date.id) && (isUpcoming(date) || date.at > reach));
  await db.dates.bulkDelete(gone.map(({ id }) => id));
  await keepDates(db, told, since);
  await setMeta(db, 'dates:next', past.next);
}

export const nextPast = async (db: HeartwardDb) => (await getMeta(db, 'dates:next')) ?? null;

/** Puts the next page of past dates behind what is here. */
export async function continuePast(db: HeartwardDb): Promise<void> {
  const since = Date.now();
  const cursor = await nextPast(db);
  if (!cursor) return;
  const { items, next } = await page('past', cursor);
  await keepDates(db, items, since);
  await setMeta(db, 'dates:next', next);
}
