import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import type { FilterSet } from '@/api/types.ts';
import { getDb, type HeartwardDb } from '@/offline/store/db.ts';
import { defaults } from './filterSet.ts';
import { readFilters, refreshFilters, storeFilters } from './filters.ts';

const older: FilterSet = { ...defaults, ageRange: [40, 65] };

/** The server's one set, and what it was asked to do. */
function serve(filters: FilterSet, saved: boolean): string[] {
  const asked: string[] = [];
  let stored = { filters, saved };
  vi.stubGlobal('fetch', async (request: Request) => {
    asked.push(request.method);
    if (request.method === 'PUT') stored = { filters: (await request.json()) as FilterSet, saved: true };
    if (request.method !== 'DELETE')
      return new Response(JSON.stringify(stored), { headers: { 'Content-Type': 'application/json' } });
    stored = { filters: defaults, saved: false };
    return new Response(null, { status: 204 });
  });
  return asked;
}

let db: HeartwardDb;
beforeEach(async () => {
  localStorage.setItem('hw.member', '019a0000-0000-7000-8000-00000000000a');
  db = getDb();
  await Promise.all(db.tables.map((table) => table.clear()));
});

test('filters are kept on the device, and a change elsewhere is noticed once', async () => {
  serve(defaults, false);
  expect(await refreshFilters(db), 'the first answer changes nothing').toBe(false);
  serve(older, true);
  expect(await refreshFilters(db)).toBe(true);
  expect(await refreshFilters(db)).toBe(false);
  expect(await readFilters(db)).toEqual({ filters: older, saved: true });
});

test('what is applied is stored first; the defaults are stored by having none', async () => {
  const asked = serve(defaults, false);
  await storeFilters(db, older);
  expect(await readFilters(db)).toEqual({ filters: older, saved: true });
  await storeFilters(db, { ...defaults });
  expect(await readFilters(db)).toEqual({ filters: defaults, saved: false });
  expect(asked).toEqual(['PUT', 'DELETE']);
});

test('what the server refuses or never hears is not kept', async () => {
  serve(older, true);
  await refreshFilters(db);
  vi.stubGlobal('fetch', async () => Response.json({ detail: 'No.' }, { status: 422 }));
  await expect(storeFilters(db, { ...older, ageRange: [50, 60] })).rejects.toThrow('No.');
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('no network');
  });
  await expect(storeFilters(db, defaults)).rejects.toThrow();
  expect(await readFilters(db)).toEqual({ filters: older, saved: true });
});

test('an answer that was asked for before does not undo what was applied meanwhile', async () => {
  serve(defaults, false);
  const answers = globalThis.fetch;
  vi.stubGlobal('fetch', async (request: Request) => {
    const answer = await answers(request);
    if (request.method === 'GET') await storeFilters(db, older);
    return answer;
  });
  expect(await refreshFilters(db)).toBe(false);
  expect(await readFilters(db)).toEqual({ filters: older, saved: true });
});
