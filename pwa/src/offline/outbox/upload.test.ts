import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../api/request.ts';
import type { HeartwardDb } from '../store/db.ts';
import type { BlobRow, LocalAttachment } from '../store/rows.ts';
import { CONVERSATION, freshDb, json, ME } from '../testkit.ts';
import { progressOf } from './progress.ts';
import { abandon, uploadFile } from './upload.ts';

type Options = {
  endpoint?: string;
  uploadUrl: string | null;
  headers: Record<string, string>;
  onProgress: (sent: number, total: number) => void;
  onUploadUrlAvailable: () => void;
  onSuccess: () => void;
  onError: (error: Error) => void;
};

/** The library's side: what it was asked, and how this one ends. */
const tus = vi.hoisted(() => ({
  asked: [] as Options[],
  end: (_upload: { url: string; options: Options }): void | Promise<void> => undefined,
}));

vi.mock('tus-js-client', () => {
  class DetailedError extends Error {
    constructor(
      readonly originalRequest: { getMethod: () => string },
      readonly originalResponse: unknown,
    ) {
      super('refused');
    }
  }
  class Upload {
    url = '';
    constructor(
      _bytes: Blob,
      readonly options: Options,
    ) {}
    start() {
      tus.asked.push(this.options);
      this.url = this.options.uploadUrl ?? `http://localhost:3000/api/uploads/u${tus.asked.length}`;
      this.options.onUploadUrlAvailable();
      void tus.end(this);
    }
    abort() {}
  }
  return { Upload, DetailedError };
});

const { DetailedError } = (await import('tus-js-client')) as unknown as {
  DetailedError: new (request: unknown, response: unknown) => Error;
};
const answer = (method: string, status: number, body = '') =>
  new DetailedError(
    { getMethod: () => method },
    { getStatus: () => status, getHeader: () => null, getBody: () => body },
  );

let db: HeartwardDb;
let made: { path: string; body: unknown }[];
let makeFile: () => Response;

const file: LocalAttachment = {
  localId: 'voice',
  kind: 'audio',
  mimeType: 'audio/webm',
  bytes: 10,
  width: null,
  height: null,
  durationMs: 1200,
  waveform: [1],
  placeholder: '',
};

const hold = (change: Partial<BlobRow> = {}) =>
  db.blobs.put({
    id: 'voice',
    conversationId: CONVERSATION,
    keep: 'unsent',
    blob: new Blob(['0123456789']),
    poster: null,
    bytes: 10,
    usedAt: 1,
    ...change,
  });

beforeEach(async () => {
  db = await freshDb();
  tus.asked = [];
  tus.end = ({ options }) => options.onSuccess();
  made = [];
  makeFile = () => json(200, {});
  vi.stubGlobal('fetch', async (request: Request) => {
    made.push({ path: new URL(request.url).pathname, body: await request.json() });
    return makeFile();
  });
  return () => vi.unstubAllGlobals();
});

describe('a file on its way', () => {
  it('is made a file of that kind once all of it is there', async () => {
    await hold();
    expect(await uploadFile(db, file)).toBe('u1');
    expect(tus.asked[0]).toMatchObject({ endpoint: '/api/uploads', headers: { 'X-Member': ME } });
    expect(made).toEqual([
      { path: '/api/uploads/u1/file', body: { kind: 'audio', durationMs: 1200, waveform: [1] } },
    ]);
  });

  it('brings its still before it', async () => {
    await hold({ poster: new Blob(['still']) });
    await uploadFile(db, { ...file, kind: 'video' });
    expect(made[0]).toMatchObject({ path: '/api/uploads/u2/file', body: { posterUploadId: 'u1' } });
  });

  it('shows how far it is', async () => {
    await hold();
    const seen: (number | null)[] = [];
    tus.end = ({ options }) => {
      options.onProgress(4, 10);
      seen.push(progressOf([{ id: 'voice', bytes: 10 }]));
      options.onSuccess();
    };
    await uploadFile(db, file);
    expect(seen).toEqual([40]);
  });

  it('goes on where it was cut', async () => {
    await hold();
    tus.end = ({ options }) => options.onError(answer('PATCH', 0));
    await expect(uploadFile(db, file)).rejects.not.toBeInstanceOf(ApiError);
    expect((await db.blobs.get('voice'))?.uploadUrl).toBe('/api/uploads/u1');
    tus.end = ({ options }) => options.onSuccess();
    await uploadFile(db, file);
    expect(tus.asked[1]).toMatchObject({ uploadUrl: '/api/uploads/u1' });
  });
});

describe('what the server says', () => {
  it('of a piece that is still being taken is no refusal', async () => {
    await hold();
    tus.end = ({ options }) => options.onError(answer('PATCH', 409));
    await expect(uploadFile(db, file)).rejects.not.toBeInstanceOf(ApiError);
  });

  it.each([
    ['HEAD', 404, '/api/uploads/old'],
    ['PATCH', 410, '/api/uploads/old'],
    ['PATCH', 404, undefined],
  ])(
    'of an upload it has forgotten (%s, %i) makes the next one start anew',
    async (method, status, uploadUrl) => {
      await hold({ uploadUrl });
      tus.end = ({ options }) => options.onError(answer(method, status));
      await expect(uploadFile(db, file)).rejects.not.toBeInstanceOf(ApiError);
      expect((await db.blobs.get('voice'))?.uploadUrl).toBeUndefined();
    },
  );

  it('of a file that cannot be found although its upload came whole is a refusal', async () => {
    await hold();
    makeFile = () => json(404, { detail: 'We could not find that.' });
    await expect(uploadFile(db, file)).rejects.toMatchObject({ status: 404 });
  });

  it.each([
    [413, '{"detail":"This file is larger than 25 MB."}', 'This file is larger than 25 MB.'],
    [422, '{"detail":"no","errors":[{"message":"This file is empty."}]}', 'This file is empty.'],
    [413, '<html>', 'The server did not take this file.'],
  ])('of %i is shown to the member', async (status, body, detail) => {
    await hold();
    tus.end = ({ options }) => options.onError(answer('POST', status, body));
    await expect(uploadFile(db, file)).rejects.toMatchObject({ status, detail });
  });
});

it('ends uploads that will not go on', async () => {
  const asked: unknown[] = [];
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => void asked.push([init.method, path]));
  await hold({ uploadUrl: '/api/uploads/u1', posterUploadUrl: '/api/uploads/u2' });
  await abandon(ME, await db.blobs.toArray());
  expect(asked).toEqual([
    ['DELETE', '/api/uploads/u1'],
    ['DELETE', '/api/uploads/u2'],
  ]);
});

it('says so when the bytes are gone', async () => {
  await expect(uploadFile(db, file)).rejects.toMatchObject({ status: 422 });
});
