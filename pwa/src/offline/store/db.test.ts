import 'fake-indexeddb/auto';
import Dexie from 'dexie';
import { beforeEach, expect, it, vi } from 'vitest';
import { Session } from '@/base/pageSession.ts';
import { reloadWhenOutdated } from '../device/serviceWorker.ts';
import { drain } from '../outbox/drain.ts';
import { drainEnv, FakeServer, freshDb, ME, message, PEER, summary } from '../testkit.ts';
import { HeartwardDb } from './db.ts';
import { dbName, type ProfileFile } from './rows.ts';

let db: HeartwardDb;
beforeEach(async () => {
  db = await freshDb();
});

const waitForSuccess = (request: IDBOpenDBRequest) =>
  new Promise<void>((resolve, reject) => {
    request.onsuccess = () => {
      request.result?.close();
      resolve();
    };
    request.onblocked = () => reject(new Error('blocked by this tab'));
  });

it('closes for an upgrade by another tab, and reloads the page', async () => {
  const reload = vi.fn();
  reloadWhenOutdated(reload);
  await waitForSuccess(indexedDB.open(db.name, 999));
  expect(reload).toHaveBeenCalledOnce();
  await expect(db.meta.count(), 'it is not opened again').rejects.toThrow();
  await waitForSuccess(indexedDB.deleteDatabase(db.name));
});

it('closes when another tab signs out, without a reload', async () => {
  const reload = vi.fn();
  reloadWhenOutdated(reload);
  await waitForSuccess(indexedDB.deleteDatabase(db.name));
  expect(reload).not.toHaveBeenCalled();
});

it('keeps the rows of the first version, including unsent writes', async () => {
  const id = 'of-version-1';
  const first = new Dexie(dbName(id));
  first.version(1).stores({ outbox: 'clientId, localSeq', drafts: 'conversationId', meta: 'key' });
  await first.table('outbox').put({ clientId: 'waiting', localSeq: 1, kind: 'like' });
  await first.table('drafts').put({ conversationId: 'c', content: 'Dear' });
  first.close();

  const second = new HeartwardDb(new Session(id));
  expect(await second.outbox.count()).toBe(1);
  expect(await second.drafts.count()).toBe(1);
  expect([await second.likes.count(), await second.passes.count(), await second.blocks.count()]).toEqual([
    0, 0, 0,
  ]);
  await second.delete();
});

it('copies what changes about a file out of the rows of version 5 that have bytes', async () => {
  const id = 'of-version-5';
  const fifth = new Dexie(dbName(id));
  fifth.version(5).stores({ blobs: 'id, conversationId, usedAt', profileFiles: 'id' });
  const file = { id: 'f', conversationId: 'c', keep: 'unsent', bytes: 1, usedAt: 1, uploadUrl: '/u/1' };
  await fifth.table('blobs').put({ ...file, blob: new Blob(['x']), poster: null });
  const upload = {
    id: 'p',
    path: '/api/users/me/photos',
    upload: { url: '/u/2', id: null },
    failure: 'Too dark.',
  };
  await fifth.table('profileFiles').put({ ...upload, bytes: new Blob(['y']) });
  fifth.close();

  const current = new HeartwardDb(new Session(id));
  expect(await current.files.toArray()).toEqual([{ ...file, blobId: 'f' }]);
  expect(await current.outbox.toArray()).toMatchObject([
    {
      clientId: 'p',
      state: 'failed',
      reason: 'Too dark.',
      body: { kind: 'profileFile', blobId: 'p', path: upload.path, upload: upload.upload },
    },
  ]);
  expect(await current.blobs.get('f'), 'the bytes stay').toHaveProperty('blob');
  expect(await current.profileFiles.get('p')).toHaveProperty('bytes');
  await current.delete();
});

it('sends the files of the profile that wait in a database of version 6, after the rows of its outbox', async () => {
  const sixth = new Dexie(dbName(ME));
  await Dexie.delete(dbName(ME));
  // The tables that the upgrade and the outbox need.
  sixth.version(6).stores({
    outbox: 'clientId, localSeq',
    messages: '[senderId+clientId], [conversationId+order]',
    meta: 'key',
    profileUploads: 'id',
    profileFiles: 'id',
  });
  const photo = {
    method: 'POST',
    path: '/api/users/me/photos',
    isScaled: true,
    posterUpload: { url: null, id: null },
  };
  await sixth
    .table('outbox')
    .put({ clientId: 'waiting', localSeq: 8, kind: 'pass', body: { kind: 'pass' }, state: 'failed' });
  await sixth.table('profileUploads').bulkPut([
    { ...photo, id: 'b', blobId: 'b', createdAt: 2, upload: { url: null, id: null } },
    { ...photo, id: 'a', blobId: 'scaled', createdAt: 1, upload: { url: '/api/uploads/u1', id: null } },
    { ...photo, id: 'c', blobId: 'c', createdAt: 3, upload: { url: null, id: null }, failure: 'Too dark.' },
  ]);
  await sixth
    .table('profileFiles')
    .bulkPut(['b', 'scaled', 'c'].map((blobId) => ({ id: blobId, bytes: new Blob([blobId]) })));
  sixth.close();

  const seventh = new HeartwardDb(new Session(ME));
  expect((await seventh.outbox.orderBy('localSeq').toArray()).map(({ localSeq }) => localSeq)).toEqual([
    8, 9, 10, 11,
  ]);
  const uploads: (string | null)[] = [];
  const server = new FakeServer();
  const { env } = drainEnv(seventh, server, {
    uploadProfileFile: async ({ clientId }) => {
      const { body } = (await seventh.outbox.get(clientId)) as { body: ProfileFile };
      uploads.push(body.upload.url);
      expect(await seventh.profileFiles.get(body.blobId)).toHaveProperty('bytes');
      return { ...body, upload: { ...body.upload, id: `of ${clientId}` } };
    },
  });
  await drain(env, true);
  expect(uploads, 'an upload that had begun continues').toEqual(['/api/uploads/u1', null]);
  expect(server.requests.map(({ path, body }) => [path, body.uploadId])).toEqual([
    ['/api/users/me/photos', 'of a'],
    ['/api/users/me/photos', 'of b'],
  ]);
  expect(await seventh.outbox.toArray()).toMatchObject([
    { clientId: 'c', state: 'failed', reason: 'Too dark.' },
    { clientId: 'waiting' },
  ]);
  expect(await seventh.profileFiles.toCollection().primaryKeys(), 'with its bytes').toEqual(['c']);
  expect(seventh.tables.map(({ name }) => name)).not.toContain('profileUploads');
  await seventh.delete();
});

it('adds newer fields to the messages and conversations of version 2', async () => {
  const id = 'of-version-2';
  const second = new Dexie(dbName(id));
  second.version(2).stores({
    conversations: 'id, userId, matchId, sortAt',
    messages: '[senderId+clientId], [conversationId+order]',
  });
  const { attachments: _1, replyTo: _2, rev: _3, ...old } = message(1);
  await second.table('messages').put({ ...old, order: 1, state: 'stored' });
  const { pinnedAt: _4, request: _5, ...row } = summary();
  const lastMessage = { id: 'id-1', seq: 1, senderId: PEER, content: 'hi', messageType: 'text', sentAt: '' };
  await second.table('conversations').put({ ...row, userId: PEER, sortAt: '', lastMessage });
  second.close();

  const third = new HeartwardDb(new Session(id));
  expect(await third.messages.toArray()).toMatchObject([
    { content: 'message 1', attachments: [], replyTo: null, rev: 0 },
  ]);
  expect(await third.conversations.toArray()).toMatchObject([
    { pinnedAt: null, request: 'none', lastMessage: { content: 'hi', attachmentCount: 0, deleted: false } },
  ]);
  await third.delete();
});
