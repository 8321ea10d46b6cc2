import 'fake-indexeddb/auto';
import { expect, it, vi } from 'vitest';
import { FakeServer, fakeLocks, freshDb, PEER } from '../testkit.ts';
import { enqueue, onSettled } from './outbox.ts';

it('reports results from before the first listener once, to all listeners added in the same task', async () => {
  vi.stubGlobal('navigator', { onLine: true, locks: fakeLocks() });
  vi.stubGlobal('fetch', new FakeServer().fetch);
  await freshDb();
  const id = await enqueue({ kind: 'pass', targetUserId: PEER });

  const first: string[] = [];
  const second: string[] = [];
  await vi.waitFor(() => {
    onSettled(({ row }) => first.push(row.clientId))();
    onSettled(({ row }) => second.push(row.clientId))();
    expect(first).toEqual([id]);
  });
  expect(second).toEqual([id]);

  await new Promise((resolve) => setTimeout(resolve));
  const later: string[] = [];
  onSettled(({ row }) => later.push(row.clientId))();
  expect(later).toEqual([]);
  vi.unstubAllGlobals();
});
