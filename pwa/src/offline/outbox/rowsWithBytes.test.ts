/** Rows with bytes are written once and deleted once (docs/decisions/0101-rows-with-bytes.md). */
import 'fake-indexeddb/auto';
import type { Table } from 'dexie';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ApiError } from '../../api/request.ts';
import type { HeartwardDb } from '../store/db.ts';
import { readFile } from '../store/files.ts';
import { prune } from '../store/quota.ts';
import { createChunkStore } from '../store/recordings.ts';
import { CONVERSATION, drainEnv, FakeServer, freshDb, json, PEER } from '../testkit.ts';
import { type DrainEnv, drain } from './drain.ts';
import { enqueue, type NewFile } from './outbox.ts';
import { dropProfileFile } from './profileFile.ts';
import { retry } from './rejectedRows.ts';
import type { UploadOptions } from './tus.ts';
import { uploadFile } from './upload.ts';
import { uploadProfileFile } from './uploadProfileFile.ts';

/** The fake transport: the address that each upload was to continue, and the errors of the next ones. */
const transport = vi.hoisted(() => ({ urls: [] as (string | null)[], errors: [] as Error[] }));

vi.mock('./tus.ts', async (original) => ({
  ...(await original<typeof import('./tus.ts')>()),
  uploadBytes: async (_bytes: Blob, { url, onUrl, onProgress }: UploadOptions) => {
    transport.urls.push(url);
    const address = url ?? `/api/uploads/u${transport.urls.length}`;
    if (!url) await onUrl(address);
    onProgress(0.5);
    const error = transport.errors.shift();
    if (error) throw error;
    return address.split('/').at(-1) ?? '';
  },
  deleteUploads: async () => undefined,
}));

let db: HeartwardDb;
/** The writes to every table in which this test has stored a row with bytes. */
let writes: string[];

beforeEach(async () => {
  const busyLock = (_name: string, _options: LockOptions, work: (lock: null) => unknown) => work(null);
  vi.stubGlobal('navigator', { locks: { request: busyLock } });
  vi.stubGlobal('fetch', async () => json(200, {}));
  transport.urls = [];
  transport.errors = [];
  db = await freshDb();
  writes = [];
  for (const table of db.tables as Table[]) recordWrites(table);
  return () => vi.unstubAllGlobals();
});

function recordWrites(table: Table): void {
  let hasBytes = false;
  const record = (kind: string) => {
    if (hasBytes) writes.push(`${kind} ${table.name}`);
  };
  const onCreate = (_key: unknown, row: object) => {
    hasBytes ||= Object.values(row).some((value) => value instanceof Blob);
    record('create');
  };
  const onUpdate = () => record('update');
  const onDelete = () => record('delete');
  table.hook('creating', onCreate);
  table.hook('updating', onUpdate);
  table.hook('deleting', onDelete);
  onTestFinished(() => {
    table.hook('creating').unsubscribe(onCreate);
    table.hook('updating').unsubscribe(onUpdate);
    table.hook('deleting').unsubscribe(onDelete);
  });
}

/** Returns the writes since the last call. */
const newWrites = () => writes.splice(0);

const newFile = (localId: string, kind: 'image' | 'video' = 'image'): NewFile => ({
  file: {
    localId,
    kind,
    mimeType: kind === 'image' ? 'image/jpeg' : 'video/webm',
    bytes: localId.length,
    width: null,
    height: null,
    durationMs: kind === 'image' ? null : 1200,
    waveform: [],
    placeholder: '',
  },
  blob: new Blob([localId]),
  poster: kind === 'image' ? null : new Blob(['still']),
});

const send = (files: NewFile[]) =>
  enqueue(db, { kind: 'message', conversationId: CONVERSATION, recipientId: PEER, content: '', files });

async function drainOnce(): Promise<void> {
  const upload = (file: NewFile['file']) => uploadFile(db, file);
  await drain(drainEnv(db, new FakeServer(), { upload }).env, true);
}

describe('the bytes of a message', () => {
  const cut = () => new TypeError('cut');

  it.each([
    ['four pictures', ['one', 'two', 'three', 'four'].map((id) => newFile(id))],
    ['a video with its poster', [newFile('video', 'video')]],
  ])('are written when it is stored, and never again: %s', async (_what, files) => {
    const clientId = await send(files);
    expect(newWrites()).toEqual(files.map(() => 'create blobs'));

    transport.errors = [cut()];
    await drainOnce();
    for (const { file } of files) expect(await readFile(db, file.localId)).toBeTruthy();
    transport.errors = [cut(), new ApiError(422, 'invalid', 'There is no picture in this file.')];
    await drainOnce();
    await drainOnce();
    expect(await db.outbox.get(clientId), 'rejected').toMatchObject({ state: 'failed' });
    await prune(db);
    await retry(db, clientId);
    await drainOnce();

    expect(await db.outbox.count(), 'sent').toBe(0);
    expect(transport.urls.slice(0, 2), 'continued').toEqual([null, '/api/uploads/u1']);
    for (const { id } of await db.files.toArray()) expect(await readFile(db, id)).toBeTruthy();
    expect(newWrites()).toEqual([]);
    await prune(db);
    expect(newWrites(), 'the message of the fake server names no files').toEqual(
      files.map(() => 'delete blobs'),
    );
  });
});

describe('the bytes of a file of the profile', () => {
  const store = (poster?: Blob) =>
    enqueue(db, {
      kind: 'profileFile',
      id: crypto.randomUUID(),
      method: 'POST',
      path: '/api/users/me/photos',
      bytes: new Blob(['large']),
      poster,
    });

  const drainFile = (scale = async (bytes: Blob) => bytes) => {
    const { signal } = new AbortController();
    const upload: DrainEnv['uploadProfileFile'] = (row, onAccepted) =>
      uploadProfileFile(db, row, { scale, onAccepted, signal });
    return drain(drainEnv(db, new FakeServer(), { uploadProfileFile: upload }).env, true);
  };

  it('are written when it is stored, and never again', async () => {
    const id = await store(new Blob(['still']));
    expect(newWrites()).toEqual(['create profileFiles']);
    transport.errors = [new TypeError('cut'), new ApiError(422, 'invalid', 'Too dark.')];
    await drainFile();
    await drainFile();
    expect(await db.outbox.get(id)).toMatchObject({ state: 'failed', reason: 'Too dark.' });
    await retry(db, id);
    expect(newWrites()).toEqual([]);
    await drainFile();
    expect(newWrites()).toEqual(['delete profileFiles']);
    expect(await db.outbox.count()).toBe(0);
  });

  it('are in a new row after the picture was scaled down', async () => {
    await store();
    newWrites();
    await drainFile(async () => new Blob(['small']));
    expect(newWrites().sort()).toEqual(['create profileFiles', 'delete profileFiles', 'delete profileFiles']);
    expect(await db.profileFiles.count()).toBe(0);
  });

  it('are deleted with it when the member leaves it out', async () => {
    const id = await store();
    newWrites();
    await dropProfileFile(db, id);
    expect(newWrites()).toEqual(['delete profileFiles']);
    expect(await db.outbox.count()).toBe(0);
  });
});

it('the chunks of a recording are written once', async () => {
  vi.stubGlobal('navigator', {});
  await db.conversations.put({ id: CONVERSATION } as never);
  const store = createChunkStore(db, CONVERSATION, 'r');
  const chunk = { kind: 'voice' as const, mimeType: 'audio/webm', levels: [1], poster: null };
  for (const index of [0, 1])
    await store.add({ ...chunk, index, elapsedMs: index * 1000, blob: new Blob([`${index}`]) });
  await store.remove();
  expect(newWrites()).toEqual(['create chunks', 'create chunks', 'delete chunks', 'delete chunks']);
});
