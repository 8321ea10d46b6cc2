import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import type { HeartwardDb } from './db.ts';
import { reloadWhenOutdated } from './serviceWorker.ts';
import { freshDb } from './testkit.ts';

let db: HeartwardDb;
beforeEach(async () => {
  db = await freshDb();
});

const answered = (request: IDBOpenDBRequest) =>
  new Promise<void>((resolve, reject) => {
    request.onsuccess = () => {
      request.result?.close();
      resolve();
    };
    request.onblocked = () => reject(new Error('blocked by this tab'));
  });

it('lets a newer version in another tab have the database, and loads afresh', async () => {
  const reload = vi.fn();
  reloadWhenOutdated(reload);
  await answered(indexedDB.open(db.name, 999));
  expect(reload).toHaveBeenCalledOnce();
  await expect(db.meta.count(), 'it does not open the newer one').rejects.toThrow();
  await answered(indexedDB.deleteDatabase(db.name));
});

it('lets go when another tab signs out, and does not take that for an update', async () => {
  const reload = vi.fn();
  reloadWhenOutdated(reload);
  await answered(indexedDB.deleteDatabase(db.name));
  expect(reload).not.toHaveBeenCalled();
});
