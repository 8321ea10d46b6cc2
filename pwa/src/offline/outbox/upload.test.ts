import 'fake-indexeddb/auto';
import Dexie from 'dexie';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Session } from '@/base/pageSession.ts';
import { ApiError } from '../../api/request.ts';
import { HeartwardDb } from '../store/db.ts';
import { putFile } from '../store/fileRows.ts';
import { type BlobRow, dbName, type FileRow, type LocalAttachment } from '../store/rows.ts';
import { CONVERSATION, freshDb, json, ME } from '../testkit.ts';
import { progressOf } from './progress.ts';
import { uploadBytes } from './tus.ts';
import { cancelUploads, uploadFile } from './upload.ts';

type Options = {
  endpoint?: string;
  uploadUrl: string | null;
  headers: Record<string, string>;
  onProgress: (sent: number, total: number) => void;
  onAfterResponse: (request: unknown, response: { getHeader: (name: string) => string | null }) => void;
  onSuccess: () => void;
  onError: (error: Error) => void;
};

/** A fake of the tus library: the options of each upload, and the function that ends the current one. */
const tus = vi.hoisted(() => ({
  started: [] as Options[],
  aborted: 0,
  end: (_upload: { options: Options }): void | Promise<void> => undefined,
}));

vi.mock('tus-js-client', () => {
  class DetailedError extends Error {
    constructor(
      readonly originalRequest: { getMethod: () => string },
      readonly originalResponse: unknown,
    ) {
      super('rejected');
    }
  }
  class Upload {
    constructor(
      _bytes: Blob,
      readonly options: Options,
    ) {}
    start() {
      tus.started.push(this.options);
      void tus.end(this);
    }
    abort() {
      tus.aborted += 1;
    }
  }
  return { Upload, DetailedError };
});

const { DetailedError } = (await import('tus-js-client')) as unknown as {
  DetailedError: new (request: unknown, response: unknown) => Error;
};
const errorResponse = (method: string, status: number, body = '', retryAfter: string | null = null) =>
  new DetailedError(
    { getMethod: () => method },
    {
      getStatus: () => status,
      getHeader: (name: string) =>
        name === 'Tus-Resumable' ? '1.0.0' : name === 'Retry-After' ? retryAfter : null,
      getBody: () => body,
    },
  );

let db: HeartwardDb;
let fileRequests: { path: string; body: unknown }[];
let createFileResponse: () => Response;

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

const storeFile = (change: Partial<FileRow & Pick<BlobRow, 'poster'>> = {}) =>
  putFile(db, {
    id: 'voice',
    conversationId: CONVERSATION,
    keep: 'unsent',
    blob: new Blob(['0123456789']),
    poster: null,
    bytes: 10,
    ...change,
  });

beforeEach(async () => {
  db = await freshDb();
  tus.started = [];
  tus.aborted = 0;
  tus.end = ({ options }) => options.onSuccess();
  let uploads = 0;
  vi.spyOn(crypto, 'randomUUID').mockImplementation(
    () => `u${++uploads}` as ReturnType<Crypto['randomUUID']>,
  );
  fileRequests = [];
  createFileResponse = () => json(200, {});
  vi.stubGlobal('fetch', async (request: Request) => {
    fileRequests.push({ path: new URL(request.url).pathname, body: await request.json() });
    return createFileResponse();
  });
  return () => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  };
});

describe('uploadFile', () => {
  it('creates the file after its upload', async () => {
    await storeFile();
    expect(await uploadFile(db, file)).toBe('u1');
    expect(tus.started[0]).toMatchObject({
      endpoint: '/api/uploads',
      headers: { 'X-Member': ME, 'Upload-Id': 'u1' },
    });
    expect(fileRequests).toEqual([
      { path: '/api/uploads/u1/file', body: { kind: 'audio', durationMs: 1200, waveform: [1] } },
    ]);
  });

  it('uploads the poster first', async () => {
    await storeFile({ poster: new Blob(['still']) });
    await uploadFile(db, { ...file, kind: 'video' });
    expect(fileRequests[0]).toMatchObject({ path: '/api/uploads/u2/file', body: { posterUploadId: 'u1' } });
  });

  it('reports the progress', async () => {
    await storeFile();
    const percentages: (number | null)[] = [];
    tus.end = ({ options }) => {
      options.onProgress(4, 10);
      percentages.push(progressOf(db, [{ id: 'voice', bytes: 10 }]));
      options.onSuccess();
    };
    await uploadFile(db, file);
    expect(percentages).toEqual([40]);
  });

  it('reports whenever the server has received more bytes', async () => {
    await storeFile();
    tus.end = ({ options }) => {
      for (const offset of [null, '0', '4', '4', '10'])
        options.onAfterResponse(null, {
          getHeader: (name) => (name === 'Upload-Offset' ? offset : null),
        });
      options.onSuccess();
    };
    const onAccepted = vi.fn();
    await uploadFile(db, file, onAccepted);
    expect(onAccepted).toHaveBeenCalledTimes(2);
  });

  it('reports no progress for bytes that the server has lost', async () => {
    await storeFile();
    tus.end = ({ options }) => {
      options.onAfterResponse(null, { getHeader: (name) => (name === 'Upload-Offset' ? '4' : null) });
      options.onError(errorResponse('PATCH', 404));
    };
    const onAccepted = vi.fn();
    await expect(uploadFile(db, file, onAccepted)).rejects.toThrow('The upload has expired');
    expect(onAccepted.mock.calls).toEqual([[], [false]]);
  });

  it('resumes an interrupted upload', async () => {
    await storeFile();
    tus.end = ({ options }) => options.onError(errorResponse('PATCH', 0));
    await expect(uploadFile(db, file)).rejects.not.toBeInstanceOf(ApiError);
    expect((await db.files.get('voice'))?.uploadUrl).toBe('/api/uploads/u1');
    tus.end = ({ options }) => options.onSuccess();
    await uploadFile(db, file);
    expect(tus.started[1]).toMatchObject({ uploadUrl: '/api/uploads/u1' });
  });

  it('resumes an upload that a database of version 5 has stored', async () => {
    const id = 'of-version-5';
    const old = new Dexie(dbName(id));
    old.version(5).stores({ blobs: 'id, conversationId, usedAt' });
    const row = { id: 'voice', conversationId: CONVERSATION, keep: 'unsent', bytes: 10, usedAt: 1 };
    await old.table('blobs').put({
      ...row,
      blob: new Blob(['0123456789']),
      poster: null,
      uploadUrl: '/api/uploads/old',
    });
    old.close();
    const upgraded = new HeartwardDb(new Session(id));
    await uploadFile(upgraded, file);
    expect(tus.started).toMatchObject([{ uploadUrl: '/api/uploads/old' }]);
    await upgraded.delete();
  });

  it('keeps the id of an upload whose creation had no response', async () => {
    await storeFile();
    tus.end = async ({ options }) => {
      expect((await db.files.get('voice'))?.uploadUrl).toBe('/api/uploads/u1');
      options.onError(errorResponse('POST', 0));
    };
    await expect(uploadFile(db, file)).rejects.not.toBeInstanceOf(ApiError);
    tus.end = ({ options }) => options.onSuccess();
    expect(await uploadFile(db, file)).toBe('u1');
    // The library creates the upload if the server does not know its address.
    expect(tus.started[1]).toMatchObject({
      endpoint: '/api/uploads',
      uploadUrl: '/api/uploads/u1',
      headers: { 'Upload-Id': 'u1' },
    });
  });
});

describe('an upload that stalls', () => {
  const session = new Session(ME);
  // Only the timers of the upload: the library is loaded in real time.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    return () => vi.useRealTimers();
  });

  /** Starts an upload that never ends, and returns its result and its options once it has started. */
  async function startEndless(url: string | null) {
    const { promise: started, resolve } = Promise.withResolvers<Options>();
    tus.end = ({ options }) => resolve(options);
    const onUrl = vi.fn();
    const [purpose, mimeType, onProgress] = ['message' as const, 'image/jpeg', () => undefined];
    const result = uploadBytes(new Blob(['x']), { purpose, session, mimeType, url, onUrl, onProgress });
    result.catch(() => undefined);
    return { result, options: await started, onUrl };
  }

  it('is aborted after 30 seconds without progress, to be continued from its offset', async () => {
    const { result, onUrl } = await startEndless(null);
    vi.advanceTimersByTime(29_999);
    expect(tus.aborted).toBe(0);
    vi.advanceTimersByTime(1);
    await expect(result, 'an error that is retried').rejects.toBeInstanceOf(TypeError);
    expect(tus.aborted).toBe(1);
    const next = await startEndless(onUrl.mock.lastCall?.[0]);
    expect(next.options.uploadUrl).toBe('/api/uploads/u1');
  });

  it('is not aborted while bytes leave', async () => {
    const { result, options } = await startEndless(null);
    for (let sent = 1; sent < 5; sent += 1) {
      vi.advanceTimersByTime(29_000);
      options.onProgress(sent, 10);
    }
    options.onSuccess();
    await expect(result).resolves.toBe('u1');
    vi.advanceTimersByTime(60_000);
    expect(tus.aborted).toBe(0);
  });
});

describe('an error response', () => {
  it('to a chunk while another is being written is no rejection', async () => {
    await storeFile();
    tus.end = ({ options }) => options.onError(errorResponse('PATCH', 409));
    await expect(uploadFile(db, file)).rejects.not.toBeInstanceOf(ApiError);
  });

  it.each([
    ['HEAD', 404, '/api/uploads/old'],
    ['PATCH', 410, '/api/uploads/old'],
    ['PATCH', 404, undefined],
    ['POST', 409, '/api/uploads/old'],
  ])(
    'for a deleted upload (%s, %i) makes the next attempt start again',
    async (method, status, uploadUrl) => {
      await storeFile({ uploadUrl });
      tus.end = ({ options }) => options.onError(errorResponse(method, status, '{"code":"upload_id_used"}'));
      await expect(uploadFile(db, file)).rejects.not.toBeInstanceOf(ApiError);
      expect((await db.files.get('voice'))?.uploadUrl).toBeUndefined();
    },
  );

  it('404 to creating the file after a complete upload is a rejection', async () => {
    await storeFile();
    createFileResponse = () => json(404, { detail: 'We could not find that.' });
    await expect(uploadFile(db, file)).rejects.toMatchObject({ status: 404 });
  });

  it('429 to the creation is temporary', async () => {
    await storeFile();
    tus.end = ({ options }) =>
      options.onError(errorResponse('POST', 429, '{"detail":"Ten of your files"}', '30'));
    await expect(uploadFile(db, file)).rejects.toMatchObject({ isTemporary: true, retryAfterMs: 30_000 });
  });

  it.each([
    [413, '{"detail":"This file is larger than 25 MB."}', 'This file is larger than 25 MB.'],
    [422, '{"detail":"no","errors":[{"message":"This file is empty."}]}', 'This file is empty.'],
    [413, '', 'The server did not take this file.'],
  ])('with status %i has a text for the member', async (status, body, detail) => {
    await storeFile();
    tus.end = ({ options }) => options.onError(errorResponse('POST', status, body));
    await expect(uploadFile(db, file)).rejects.toMatchObject({ status, detail });
  });
});

it('cancelUploads deletes uploads on the server', async () => {
  const requests: unknown[] = [];
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => void requests.push([init.method, path]));
  await storeFile({ uploadUrl: '/api/uploads/u1', posterUploadUrl: '/api/uploads/u2' });
  await cancelUploads(ME, await db.files.toArray());
  expect(requests).toEqual([
    ['DELETE', '/api/uploads/u1'],
    ['DELETE', '/api/uploads/u2'],
  ]);
});

it('rejects a file whose bytes are not on the device', async () => {
  await expect(uploadFile(db, file)).rejects.toMatchObject({ status: 422 });
});
