import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { HeartwardDb, PassedRow } from '@/offline/store/db.ts';
import { freshDb, json, summary } from '@/offline/testkit.ts';
import { likePassed, readPasses, refreshPasses } from './passes.ts';

let db: HeartwardDb;

beforeEach(async () => {
  // Sending starts by a timer. Fake timers keep every row in the outbox.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  db = await freshDb();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const row = (id: string, days: number): PassedRow => ({
  user: { ...summary().user, id },
  passedAt: daysAgo(days),
});
const ids = async (list: 'recent' | 'lapsed') => (await readPasses(db, list)).rows.map(({ user }) => user.id);

test('recent and lapsed passes are two lists in one table', async () => {
  const recent = [row('a', 1), row('b', 29)];
  const lapsed = [row('c', 31), row('d', 400)];
  vi.stubGlobal('fetch', async (request: Request) =>
    json(200, new URL(request.url).searchParams.get('lapsed') === 'true' ? lapsed : recent),
  );
  await refreshPasses(db, 'recent');
  await refreshPasses(db, 'lapsed');
  await refreshPasses(db, 'recent');
  expect(await ids('recent')).toEqual(['a', 'b']);
  expect(await ids('lapsed')).toEqual(['c', 'd']);
});

test('two taps on "Like" enqueue one like and remove the member from the list', async () => {
  const passRow = row('c', 31);
  await db.passes.put(passRow);
  await Promise.all([likePassed(db, passRow), likePassed(db, passRow)]);
  const bodies = (await db.outbox.toArray()).map(({ body }) => body);
  expect(bodies).toEqual([{ kind: 'like', toUserId: 'c', likeType: 'like' }]);
  expect(await ids('lapsed')).toEqual([]);
});
