import 'fake-indexeddb/auto';
import Dexie from 'dexie';
import { beforeEach, expect, it, vi } from 'vitest';
import { Session } from '@/base/pageSession.ts';
import { reloadWhenOutdated } from '../device/serviceWorker.ts';
import { freshDb, message, PEER, summary } from '../testkit.ts';
import { HeartwardDb } from './db.ts';
import { dbName } from './rows.ts';

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

  const sixth = new HeartwardDb(new Session(id));
  expect(await sixth.files.toArray()).toEqual([{ ...file, blobId: 'f' }]);
  expect(await sixth.profileUploads.toArray()).toEqual([{ ...upload, blobId: 'p' }]);
  expect(await sixth.blobs.get('f'), 'the bytes stay').toHaveProperty('blob');
  expect(await sixth.profileFiles.get('p')).toHaveProperty('bytes');
  await sixth.delete();
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
