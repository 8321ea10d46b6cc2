import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../api/request.ts';
import type { HeartwardDb } from '../store/db.ts';
import { evictFiles, readFile, storeDownloadedFile } from '../store/files.ts';
import { MERGE_TABLES, mergeMessage, mergeSummary } from '../store/merge.ts';
import { CONVERSATION, drainEnv, FakeServer, freshDb, json, ME, message, PEER, summary } from '../testkit.ts';
import { type DrainEnv, drain } from './drain.ts';
import { enqueue, type NewFile } from './outbox.ts';
import { discard, retry } from './rejectedRows.ts';

let db: HeartwardDb;
let server: FakeServer;

beforeEach(async () => {
  const busyLock = (_name: string, _options: LockOptions, work: (lock: null) => unknown) => work(null);
  vi.stubGlobal('navigator', { locks: { request: busyLock } });
  db = await freshDb();
  server = new FakeServer();
  return () => vi.unstubAllGlobals();
});

const newFile = (localId: string, kind: 'image' | 'audio' = 'audio'): NewFile => ({
  file: {
    localId,
    kind,
    mimeType: kind === 'image' ? 'image/jpeg' : 'audio/webm',
    bytes: localId.length,
    width: null,
    height: null,
    durationMs: kind === 'image' ? null : 1200,
    waveform: [1, 2],
    placeholder: '',
  },
  blob: new Blob([localId]),
  poster: null,
});

const send = (files: NewFile[], content = '') =>
  enqueue(db, { kind: 'message', conversationId: CONVERSATION, recipientId: PEER, content, files });
const write = (content: string) =>
  enqueue(db, { kind: 'message', conversationId: CONVERSATION, recipientId: PEER, content });

const upload = vi.fn<NonNullable<DrainEnv['upload']>>();
beforeEach(() => {
  upload.mockReset().mockImplementation(async ({ localId }) => `at-server-${localId}`);
});

const drainOnce = (change: Partial<DrainEnv> = {}) => {
  const { env, results } = drainEnv(db, server, { upload, ...change });
  return drain(env, true).then((result) => ({ ...result, results }));
};
const sentContents = () =>
  server.requests.map(({ body }) => body.content || (body as { fileIds?: unknown }).fileIds);
const storedFiles = async () => (await db.files.toArray()).map(({ id, keep }) => `${id} ${keep}`);

describe('a message with files', () => {
  it('is stored in the thread, the outbox and the files in one transaction, and keeps the draft', async () => {
    await db.drafts.put({ conversationId: CONVERSATION, content: 'half', updatedAt: 1 });
    await db.chunks.put({ ...chunk(0), recordingId: 'r' });
    await db.chunks.put({ ...chunk(0), recordingId: 'another' });
    await send([{ ...newFile('voice'), recordingId: 'r' }]);
    expect(await db.messages.toArray()).toMatchObject([
      { messageType: 'audio', attachments: [{ id: 'voice', durationMs: 1200, url: '' }], state: 'waiting' },
    ]);
    expect(await storedFiles()).toEqual(['voice unsent']);
    expect((await db.chunks.toArray()).map(({ recordingId }) => recordingId)).toEqual(['another']);
    expect(await db.drafts.count()).toBe(1);
  });

  it('is due at once, without a failed attempt, when its tab has ended the upload', async () => {
    const clientId = await send([newFile('one', 'image')]);
    upload.mockRejectedValueOnce(new DOMException('Another tab sends now', 'AbortError'));
    await drainOnce({ isStopped: () => upload.mock.calls.length > 0 });
    expect(await db.outbox.get(clientId)).toMatchObject({ state: 'queued', attempts: 0, nextAt: 0 });
    await drainOnce();
    expect(await db.outbox.count()).toBe(0);
  });

  it('is sent after its files, in order, and its files are stored under the server’s ids', async () => {
    await write('before');
    await send([newFile('one', 'image'), newFile('two', 'image')], 'look');
    await write('after');
    await drainOnce();
    expect(upload.mock.calls.map(([file]) => file.localId)).toEqual(['one', 'two']);
    expect(sentContents()).toEqual(['before', 'look', 'after']);
    expect(server.requests[1]?.body).toMatchObject({
      messageType: 'image',
      fileIds: ['at-server-one', 'at-server-two'],
    });
    expect(server.requests[1]?.body).not.toHaveProperty('attachments');
    expect(await storedFiles()).toEqual(['at-server-one sent', 'at-server-two sent']);
    expect(await readFile(db, 'at-server-one')).toMatchObject({ id: 'one' });
  });

  it('delays only its own conversation, and is not sent by the worker before its upload', async () => {
    await send([newFile('voice')]);
    await write('behind it');
    await enqueue(db, { kind: 'message', conversationId: 'other', recipientId: PEER, content: 'elsewhere' });
    const { nextAt } = await drainOnce({ upload: undefined });
    expect(sentContents()).toEqual(['elsewhere']);
    expect(nextAt, 'the worker has no row to retry').toBeNull();
    await drainOnce();
    expect(sentContents()).toEqual(['elsewhere', ['at-server-voice'], 'behind it']);
  });

  it('is sent by the worker once its files are uploaded', async () => {
    await send([newFile('voice')]);
    server.intercept = () => {
      throw new TypeError('cut');
    };
    await drainOnce();
    server.intercept = () => undefined;
    await drainOnce({ upload: undefined });
    expect(upload).toHaveBeenCalledOnce();
    expect(await db.outbox.count()).toBe(0);
    expect(await storedFiles()).toEqual(['at-server-voice sent']);
  });

  it('waits after a failed upload, and does not upload the completed files again', async () => {
    await send([newFile('one', 'image'), newFile('two', 'image')]);
    upload.mockResolvedValueOnce('at-server-one').mockRejectedValueOnce(new TypeError('cut'));
    const { nextAt } = await drainOnce();
    expect(nextAt).toBeGreaterThan(Date.now());
    expect(await storedFiles()).toEqual(['one unsent', 'two unsent']);
    await drainOnce();
    expect(upload.mock.calls.map(([file]) => file.localId)).toEqual(['one', 'two', 'two']);
    expect(server.stored).toHaveLength(1);
  });

  it('waits longer after each failure, until an attempt brings bytes to the server', async () => {
    await send([newFile('voice')]);
    const waits: unknown[] = [];
    for (const bringsBytes of [false, false, false, true, false]) {
      upload.mockImplementationOnce(async (_file, onAccepted) => {
        if (bringsBytes) onAccepted();
        throw new TypeError('cut');
      });
      await drainOnce();
      waits.push((await db.outbox.toArray())[0]?.waitMs);
    }
    expect(waits).toEqual([1000, 2000, 4000, 1000, 2000]);
  });

  it('keeps its files when the live event arrives before the response', async () => {
    const clientId = await send([newFile('voice')]);
    upload.mockImplementation(async () => {
      const event = message(1, { clientId, senderId: ME, messageType: 'audio' });
      await db.transact(MERGE_TABLES, (tx) => mergeMessage(tx, ME, event));
      return 'file';
    });
    await drainOnce();
    expect(await storedFiles()).toEqual(['file sent']);
  });
});

describe('a rejected message with files', () => {
  it('is shown with the reason and stored, and uploaded again by retry', async () => {
    const clientId = await send([newFile('voice')]);
    upload.mockRejectedValueOnce(new ApiError(422, 'invalid', 'A voice may last a minute.'));
    await drainOnce();
    expect(await db.messages.toArray()).toMatchObject([
      { state: 'failed', reason: 'A voice may last a minute.' },
    ]);
    expect(await storedFiles()).toEqual(['voice unsent']);
    await db.files.update('voice', { uploadUrl: '/api/uploads/old' });
    const fetchCalls = vi.fn(async () => new Response());
    vi.stubGlobal('fetch', fetchCalls);
    await retry(db, clientId);
    const deleteRequest = expect.objectContaining({ method: 'DELETE' });
    await vi.waitFor(() => expect(fetchCalls).toHaveBeenCalledWith('/api/uploads/old', deleteRequest));
    expect(await db.blobs.toArray()).toMatchObject([{ id: 'voice' }]);
    expect((await db.files.get('voice'))?.uploadUrl).toBeUndefined();
    await drainOnce();
    expect(server.stored).toHaveLength(1);
  });

  it('is deleted with its files by discard', async () => {
    const clientId = await send([newFile('voice')]);
    upload.mockRejectedValueOnce(new ApiError(413, 'too_large', 'This file is too large.'));
    await drainOnce();
    expect(await discard(db, clientId)).toBe(true);
    expect(await storedFiles()).toEqual([]);
    expect(await db.blobs.count()).toBe(0);
  });

  it('is uploaded once more if the server has deleted its files, and then rejected', async () => {
    await send([newFile('voice')]);
    server.intercept = () => {
      throw new TypeError('cut');
    };
    await drainOnce();
    await db.files.update('voice', { uploadUrl: '/api/uploads/old' });
    server.intercept = () => json(422, { detail: 'These files are not here.' });
    await drainOnce();
    expect(await db.outbox.toArray()).toMatchObject([{ state: 'queued' }]);
    expect((await db.files.get('voice'))?.uploadUrl).toBeUndefined();
    await drainOnce();
    expect(upload).toHaveBeenCalledTimes(2);
    expect(await db.outbox.toArray()).toMatchObject([
      { state: 'failed', reason: 'These files are not here.' },
    ]);
  });
});

describe('files stored for offline use', () => {
  it('the least recently used are evicted, but never unsent ones', async () => {
    await send([newFile('unsent')]);
    await db.transact(['conversations'], (tx) => mergeSummary(tx, summary()));
    for (const id of ['old', 'new']) {
      await storeDownloadedFile(db, { id, conversationId: CONVERSATION, blob: newFile(id).blob });
      await db.files.update(id, { usedAt: id === 'old' ? 1 : 2 });
    }
    await db.files.update('unsent', { usedAt: 0 });
    await evictFiles(db, 4);
    expect(await storedFiles()).toEqual(['new heard', 'unsent unsent']);
    expect(await db.blobs.toCollection().primaryKeys()).toEqual(['new', 'unsent']);
  });

  it('are not stored for a conversation that has ended meanwhile', async () => {
    await storeDownloadedFile(db, { id: 'late', conversationId: 'gone', blob: newFile('late').blob });
    expect(await storedFiles()).toEqual([]);
  });
});

const chunk = (index: number) => ({
  index,
  conversationId: CONVERSATION,
  kind: 'voice' as const,
  mimeType: 'audio/webm',
  blob: newFile(`chunk ${index}`).blob,
  elapsedMs: index * 1000,
  levels: [1],
  poster: null,
});
