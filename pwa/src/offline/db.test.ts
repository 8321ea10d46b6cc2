import 'fake-indexeddb/auto';
import Dexie from 'dexie';
import { beforeEach, expect, it, vi } from 'vitest';
import { HeartwardDb } from './db.ts';
import { dbName } from './rows.ts';
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

it('takes over what the first version of the app left on the device, unsent writes included', async () => {
  const id = 'of-version-1';
  const first = new Dexie(dbName(id));
  first.version(1).stores({ outbox: 'clientId, localSeq', drafts: 'conversationId', meta: 'key' });
  await first.table('outbox').put({ clientId: 'waiting', localSeq: 1, kind: 'like' });
  await first.table('drafts').put({ conversationId: 'c', content: 'Dear' });
  first.close();

  const second = new HeartwardDb(id);
  expect(await second.outbox.count()).toBe(1);
  expect(await second.drafts.count()).toBe(1);
  expect([await second.likes.count(), await second.passes.count(), await second.blocks.count()]).toEqual([
    0, 0, 0,
  ]);
  await second.delete();
});
