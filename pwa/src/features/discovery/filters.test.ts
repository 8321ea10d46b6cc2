import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { filterDefaults } from '@/api/defaults.gen.ts';
import type { FilterSet } from '@/api/types.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { freshDb } from '@/offline/testkit.ts';
import { readFilters, refreshFilters, storeFilters } from './filters.ts';

const older: FilterSet = { ...filterDefaults, ageRange: [40, 65] };

/** Fakes a server with these filters; returns the methods of its requests. */
function serve(filters: FilterSet, saved: boolean): string[] {
  const methods: string[] = [];
  let stored = { filters, saved };
  vi.stubGlobal('fetch', async (request: Request) => {
    methods.push(request.method);
    if (request.method === 'PUT') stored = { filters: (await request.json()) as FilterSet, saved: true };
    if (request.method !== 'DELETE')
      return new Response(JSON.stringify(stored), { headers: { 'Content-Type': 'application/json' } });
    stored = { filters: filterDefaults, saved: false };
    return new Response(null, { status: 204 });
  });
  return methods;
}

let db: HeartwardDb;
beforeEach(async () => {
  localStorage.setItem('hw.member', '019a0000-0000-7000-8000-00000000000a');
  db = await freshDb();
  await Promise.all(db.tables.map((table) => table.clear()));
});

test('filters are stored on the device, and a change on another device is reported once', async () => {
  serve(filterDefaults, false);
  expect(await refreshFilters(db), 'the first response is no change').toBe(false);
  serve(older, true);
  expect(await refreshFilters(db)).toBe(true);
  expect(await refreshFilters(db)).toBe(false);
  expect(await readFilters(db)).toEqual({ filters: older, saved: true });
});

test("applied filters are stored; for the defaults the server's row is deleted", async () => {
  const methods = serve(filterDefaults, false);
  await storeFilters(db, older);
  expect(await readFilters(db)).toEqual({ filters: older, saved: true });
  await storeFilters(db, { ...filterDefaults });
  expect(await readFilters(db)).toEqual({ filters: filterDefaults, saved: false });
  expect(methods).toEqual(['PUT', 'DELETE']);
});

test('filters that the server rejects or does not receive are not stored', async () => {
  serve(older, true);
  await refreshFilters(db);
  vi.stubGlobal('fetch', async () => Response.json({ detail: 'No.' }, { status: 422 }));
  await expect(storeFilters(db, { ...older, ageRange: [50, 60] })).rejects.toThrow('No.');
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('no network');
  });
  await expect(storeFilters(db, filterDefaults)).rejects.toThrow();
  expect(await readFilters(db)).toEqual({ filters: older, saved: true });
});

test('a response to an earlier request does not replace filters applied meanwhile', async () => {
  serve(filterDefaults, false);
  const respond = globalThis.fetch;
  vi.stubGlobal('fetch', async (request: Request) => {
    const response = await respond(request);
    if (request.method === 'GET') await storeFilters(db, older);
    return response;
  });
  expect(await refreshFilters(db)).toBe(false);
  expect(await readFilters(db)).toEqual({ filters: older, saved: true });
});
