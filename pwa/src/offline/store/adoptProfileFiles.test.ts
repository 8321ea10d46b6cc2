import 'fake-indexeddb/auto';
import Dexie from 'dexie';
import { expect, it } from 'vitest';
import { enqueue } from '../outbox/outbox.ts';
import { freshDb, ME, openDb } from '../testkit.ts';
import { prune } from './quota.ts';
import { dbName } from './rows.ts';

const photo = { method: 'POST', path: '/api/users/me/photos' } as const;

it('moves what an older app has stored in the newer database, and deletes bytes without a row', async () => {
  const before = await freshDb();
  const bytes = new Blob(['first']);
  await enqueue(before, { ...photo, kind: 'profileFile', id: 'first', bytes });
  await before.session.stop();

  const older = new Dexie(dbName(ME));
  older.version(6).stores({ outbox: 'clientId, localSeq', profileUploads: 'id', profileFiles: 'id' });
  const upload = { url: null, id: null };
  await older
    .table('profileUploads')
    .put({ ...photo, id: 'second', blobId: 'second', createdAt: 1, upload, posterUpload: upload });
  for (const id of ['second', 'of nothing'])
    await older.table('profileFiles').put({ id, bytes: new Blob([id]) });
  older.close();

  const db = openDb(ME);
  await db.open();
  expect([...db.backendDB().objectStoreNames], 'no upgrade deletes it').toContain('profileUploads');
  await prune(db);
  await prune(db);
  const rows = await db.outbox.orderBy('localSeq').toArray();
  expect(rows.map(({ clientId, state }) => [clientId, state])).toEqual([
    ['first', 'queued'],
    ['second', 'queued'],
  ]);
  const named = rows.map(({ body }) => body.kind === 'profileFile' && body.blobId);
  expect(await db.profileFiles.toCollection().primaryKeys()).toEqual(named.sort());
  await db.delete();
});
