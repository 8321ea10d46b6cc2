import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import type { PlannedDate } from '@/api/types.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { freshDb, summary } from '@/offline/testkit.ts';
import { fetchDate, fetchNextPast, readPastCursor, refreshDates, storeDates } from './plannedDates.ts';

let db: HeartwardDb;
const HOUR = 3_600_000;
const hoursFromNow = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();

const date = (id: string, hours: number, change: Partial<PlannedDate> = {}) =>
  ({
    id,
    at: hoursFromNow(hours),
    status: 'accepted',
    revision: 2,
    user: summary().user,
    conversationId: 'c',
    ...change,
  }) as PlannedDate;

type FakeResponse = { status?: number; body?: unknown; next?: string };
const fakeServer = (respond: (address: URL) => FakeResponse) =>
  vi.stubGlobal('fetch', async (request: Request) => {
    const { status = 200, body = [], next } = respond(new URL(request.url));
    const headers = next ? { Link: `</api/dates?cursor=${next}>; rel="next"` } : undefined;
    return Response.json(body, { status, headers });
  });

const ids = async () => (await db.dates.orderBy('at').primaryKeys()).join(' ');

beforeEach(async () => {
  db = await freshDb();
});

it('a refresh stores the server’s dates and removes those it no longer has', async () => {
  await db.dates.bulkPut([date('gone', 30), date('old', -30), date('older', -900), date('moved', 40)]);
  fakeServer(({ searchParams }) =>
    searchParams.get('when') === 'past'
      ? { body: [date('past', -20), date('moved', -40)], next: 'n' }
      : { body: [date('soon', 5)] },
  );
  await refreshDates(db);
  expect(await ids()).toBe('older moved past soon');
  expect(await readPastCursor(db)).toBe('n');
  fakeServer(({ searchParams }) =>
    searchParams.get('cursor') === 'n' ? { body: [date('oldest', -1000)] } : {},
  );
  await fetchNextPast(db);
  expect(await ids()).toBe('oldest older moved past soon');
  expect(await readPastCursor(db)).toBeNull();
});

it('an older revision does not replace a newer one', async () => {
  await storeDates(db, [date('d', 5, { revision: 3, status: 'cancelled' })], Date.now());
  await storeDates(db, [date('d', 5, { revision: 2 })], Date.now());
  expect((await db.dates.get('d'))?.status).toBe('cancelled');
});

it('fetchDate removes a date that no longer exists, but not after another error', async () => {
  await db.dates.put(date('d', 5));
  fakeServer(() => ({ status: 503, body: {} }));
  await expect(fetchDate(db, 'd')).rejects.toThrow();
  expect(await ids()).toBe('d');
  fakeServer(() => ({ status: 404, body: {} }));
  await fetchDate(db, 'd');
  expect(await ids()).toBe('');
});
