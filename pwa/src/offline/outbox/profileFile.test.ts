import 'fake-indexeddb/auto';
import { liveQuery } from 'dexie';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../api/request.ts';
import type { HeartwardDb } from '../store/db.ts';
import type { OutboxRow, ProfileFile } from '../store/rows.ts';
import { drainEnv, FakeServer, fakeLocks, freshDb, json, ME } from '../testkit.ts';
import { isAwaited } from './awaited.ts';
import { drain } from './drain.ts';
import { postToTabs, withOutboxLock } from './lock.ts';
import { enqueue, type Settled, startOutbox } from './outbox.ts';
import { dropProfileFile, sendProfileFile } from './profileFile.ts';
import type { ResponseBody } from './responses.ts';
import { senderOf } from './sender.ts';
import { photo, resetTransport, transport } from './testkit.ts';
import { UploadExpired } from './tus.ts';
import { uploadProfileFile } from './uploadProfileFile.ts';

vi.mock('./tus.ts', async (original) => (await import('./testkit.ts')).withFakeTransport(await original()));

let db: HeartwardDb;
let requests: { path: string; body: unknown; member: string | null }[];
let respond: () => Response;
let progress: [number, boolean | undefined][];
let stop: () => void;

/** Sends the photo; the connection returns whenever the upload waits for it. */
function send(controller = new AbortController(), onWait = () => void dispatchEvent(new Event('online'))) {
  let wasWaiting = false;
  return sendProfileFile(
    db,
    photo,
    (share, isWaiting) => {
      progress.push([share, isWaiting]);
      if (isWaiting && !wasWaiting) setTimeout(onWait);
      wasWaiting = isWaiting ?? false;
    },
    controller.signal,
  );
}

/** Stores a file as a screen without a result does. Returns the id of its row. */
const store = (change: Partial<typeof photo | { path: string; poster: Blob }> = {}) =>
  enqueue(db, { ...photo, ...change, kind: 'profileFile', id: crypto.randomUUID() });

const firstRow = () => db.outbox.toCollection().first();

beforeEach(async () => {
  vi.stubGlobal('navigator', { onLine: true, locks: fakeLocks() });
  resetTransport();
  requests = [];
  progress = [];
  respond = () => json(201, { id: 'u1' });
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname: path } = new URL(request.url);
    requests.push({ path, body: await request.json(), member: request.headers.get('X-Member') });
    return respond();
  });
  db = await freshDb();
  senderOf(db).setDrain(drain);
  stop = startOutbox(db);
  return () => {
    stop();
    vi.unstubAllGlobals();
  };
});

it('uploads the file for the profile and adds it there', async () => {
  await send();
  expect(transport.uploads).toMatchObject([{ purpose: 'profile', session: { memberId: ME }, url: null }]);
  expect(requests).toEqual([{ path: '/api/users/me/photos', body: { uploadId: 'u1' }, member: ME }]);
  expect(progress).toContainEqual([1, false]);
  expect(progress.some(([, isWaiting]) => isWaiting)).toBe(false);
});

it('returns the response', async () => {
  expect(await send()).toEqual({ id: 'u1' });
});

it('uploads the poster of a video before it', async () => {
  const ends = ['poster', 'video'];
  transport.end = async () => ends.shift() ?? '';
  const recorded = { durationMs: 1200, waveform: [1] };
  const video = { ...photo, poster: new Blob(['still']), recorded };
  await sendProfileFile(db, video, () => undefined, new AbortController().signal);
  expect(requests[0]?.body).toEqual({ uploadId: 'video', posterUploadId: 'poster', ...recorded });
});

it('names a video of the device to the server, before its bytes and with its operation', async () => {
  const recorded = { durationMs: 1200, waveform: [], chosen: true as const };
  const video = { ...photo, poster: new Blob(['still']), recorded };
  await sendProfileFile(db, video, () => undefined, new AbortController().signal);
  expect(transport.uploads.map(({ purpose }) => purpose)).toEqual(['profile', 'chosenVideo']);
  expect(requests[0]?.body).toMatchObject({ chosen: true });
});

it.each([403, 404, 413])('waits for another network after an HTML page with status %i', async (status) => {
  const responses = [
    () => new Response('<html>Sign in to this Wi-Fi', { status, headers: { 'Content-Type': 'text/html' } }),
    () => json(201, { id: 'u1' }),
  ];
  respond = () => responses.shift()?.() ?? json(500, {});
  expect(await send()).toEqual({ id: 'u1' });
  expect(transport.uploads, 'the upload is not repeated').toHaveLength(1);
  expect(progress).toContainEqual([1, true]);
});

describe('without a connection', () => {
  it('the upload waits, reports that it waits, and continues at its offset', async () => {
    const ends = [new TypeError('cut'), null];
    transport.end = async ({ onUrl, onProgress, url }) => {
      if (url === null) await onUrl('/api/uploads/u1');
      onProgress(0.4);
      const error = ends.shift();
      if (error) throw error;
      return 'u1';
    };
    await send();
    expect(transport.uploads.map(({ url }) => url)).toEqual([null, '/api/uploads/u1']);
    expect(progress).toContainEqual([0.4, true]);
    expect(progress.at(-1)).toEqual([0.4, false]);
    expect(requests).toHaveLength(1);
  });

  it('the pauses grow until an attempt brings bytes to the server', async () => {
    const bringsBytes = [false, false, true, false];
    transport.end = async ({ onAccepted }) => {
      const accepted = bringsBytes.shift();
      if (accepted === undefined) return 'u1';
      if (accepted) onAccepted?.();
      throw new TypeError('cut');
    };
    const failures: unknown[] = [];
    const record = (change: Partial<OutboxRow>, _key: unknown, row: OutboxRow) => {
      if (change.state === 'queued') failures.push(change.attempts ?? row.attempts);
    };
    db.outbox.hook('updating', record);
    await send();
    db.outbox.hook('updating').unsubscribe(record);
    expect(failures).toEqual([1, 2, 1, 2]);
  });

  it('the request is repeated after a lost response, without a second upload', async () => {
    const responses = [Response.error(), json(503, {}), json(201, { id: 'u1' })];
    respond = () => responses.shift() ?? json(500, {});
    await send();
    expect(transport.uploads).toHaveLength(1);
    expect(requests.map(({ body }) => body)).toEqual([
      { uploadId: 'u1' },
      { uploadId: 'u1' },
      { uploadId: 'u1' },
    ]);
    expect(transport.deleted).toEqual([]);
  });
});

describe('an upload that the server has deleted', () => {
  it('is uploaded again', async () => {
    const ends = [new UploadExpired(), null];
    transport.end = async ({ onUrl }) => {
      await onUrl(`/api/uploads/u${transport.uploads.length}`);
      const error = ends.shift();
      if (error) throw error;
      return `u${transport.uploads.length}`;
    };
    await send();
    expect(transport.uploads.map(({ url }) => url)).toEqual([null, null]);
    expect(requests[0]?.body).toEqual({ uploadId: 'u2' });
  });

  it('is rejected the second time', async () => {
    respond = () => json(404, { detail: 'We could not find that.' });
    await expect(send()).rejects.toMatchObject({ status: 404 });
    expect(transport.uploads).toHaveLength(2);
  });
});

it('waits while the server has too many incomplete uploads', async () => {
  const ends = [new ApiError(429, 'upload', 'Ten of your files are on their way.', {}, 50), null];
  transport.end = async () => {
    const error = ends.shift();
    if (error) throw error;
    return 'u1';
  };
  await send();
  expect(transport.uploads).toHaveLength(2);
  expect(requests).toHaveLength(1);
});

it('reports a limit that lasts until tomorrow', async () => {
  transport.end = async () => {
    throw new ApiError(429, 'upload', 'You have uploaded many files today.', {}, 8 * 3_600_000);
  };
  await expect(send()).rejects.toMatchObject({ status: 429 });
  expect(transport.uploads).toHaveLength(1);
});

describe('a rejection', () => {
  it.each([409, 422, 429, 500])('with status %i ends the attempts and deletes the upload', async (status) => {
    respond = () => json(status, { detail: 'You have six photos already.' });
    await expect(send()).rejects.toBeInstanceOf(ApiError);
    expect(requests).toHaveLength(1);
    expect(transport.deleted).toEqual(['/api/uploads/u1']);
  });
});

it('a rejection by the worker deletes the upload too', async () => {
  stop();
  const worker = Object.assign(new EventTarget(), { getRegistration: async () => undefined });
  vi.stubGlobal('navigator', { onLine: true, locks: fakeLocks(), serviceWorker: worker });
  await store();
  const row = (await firstRow()) as OutboxRow & { body: ProfileFile };
  const sent = { ...row, body: { ...row.body, upload: { url: '/api/uploads/u1', id: 'u1' } } };
  await db.outbox.put({ ...row, state: 'failed', status: 422, reason: 'Too dark.' });
  stop = startOutbox(db);
  const results: Settled[] = [{ row: sent, ok: false, status: 422, reason: 'Too dark.' }];
  worker.dispatchEvent(new MessageEvent('message', { data: { type: 'hw-outbox', memberId: ME, results } }));
  await vi.waitFor(() => expect(transport.deleted).toEqual(['/api/uploads/u1']));
});

it('ends when it is cancelled, also while it waits', async () => {
  const controller = new AbortController();
  transport.end = async ({ onUrl }) => {
    await onUrl('/api/uploads/u1');
    throw new TypeError('cut');
  };
  const cancel = () => void controller.abort();
  await expect(send(controller, cancel)).rejects.toMatchObject({ name: 'AbortError' });
  expect(transport.uploads).toHaveLength(1);
  expect(transport.deleted).toEqual(['/api/uploads/u1']);
});

describe('a file that a closed page has left', () => {
  const never = () => new Promise<never>(() => undefined);
  /** A second page of the member sends what the first has left: the lock is free when that is closed. */
  const closeAndSend = () => {
    const upload = (row: OutboxRow, onAccepted: () => void) =>
      uploadProfileFile(db, row, {
        scale: async (bytes) => bytes,
        onAccepted,
        signal: new AbortController().signal,
      });
    return drain(drainEnv(db, new FakeServer(), { fetch, uploadProfileFile: upload }).env, true);
  };

  it('continues its upload', async () => {
    const started = Promise.withResolvers<void>();
    transport.end = async ({ onUrl }) => {
      await onUrl('/api/uploads/u1');
      started.resolve();
      return never();
    };
    await store();
    await started.promise;
    transport.end = async () => 'u1';
    await closeAndSend();
    expect(transport.uploads.map(({ url }) => url)).toEqual([null, '/api/uploads/u1']);
    expect(requests).toHaveLength(1);
    expect(await db.outbox.count()).toBe(0);
  });

  it('is not uploaded again once all of it has arrived', async () => {
    const requested = Promise.withResolvers<void>();
    vi.stubGlobal('fetch', () => {
      requested.resolve();
      return never();
    });
    await store();
    await requested.promise;
    const bodies: unknown[] = [];
    vi.stubGlobal('fetch', async (request: Request) => {
      bodies.push(await request.json());
      return json(201, { id: 'u1' });
    });
    await closeAndSend();
    expect(transport.uploads).toHaveLength(1);
    expect(bodies).toEqual([{ uploadId: 'u1' }]);
  });

  it('stays until the member has signed in again', async () => {
    respond = () => json(401, { detail: 'Please sign in.' });
    await store();
    await vi.waitFor(async () =>
      expect(await firstRow()).toMatchObject({ state: 'queued', body: { upload: { id: 'u1' } } }),
    );
    expect(await db.profileFiles.count()).toBe(1);
  });
});

it.each([201, 422])('leaves nothing on the device after a response with status %i', async (status) => {
  respond = () => json(status, {});
  await send().catch(() => undefined);
  expect([await db.outbox.count(), await db.profileFiles.count()]).toEqual([0, 0]);
});

describe('a file that the member leaves out', () => {
  const unfinished = () => {
    const started = Promise.withResolvers<void>();
    transport.end = async ({ onUrl, signal }) => {
      await onUrl('/api/uploads/u1');
      started.resolve();
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    };
    return started.promise;
  };

  it('is not added, and the next one is sent at once', async () => {
    const started = unfinished();
    const id = await store();
    await started;
    transport.end = async () => 'u2';
    await store();
    await dropProfileFile(db, id);
    await vi.waitFor(async () => expect(await db.outbox.count()).toBe(0));
    expect(requests.map(({ body }) => body)).toEqual([{ uploadId: 'u2' }]);
    expect(transport.deleted).toEqual(['/api/uploads/u1']);
    expect(await db.profileFiles.count()).toBe(0);
  });

  it('is not added if that was in another tab, whose screen is told', async () => {
    const started = unfinished();
    const sending = send();
    await started;
    const id = (await firstRow())?.clientId ?? '';
    await db.outbox.delete(id);
    postToTabs(db.scope, { kind: 'dropped', clientId: id }, 'another tab');
    await expect(sending).rejects.toMatchObject({ name: 'AbortError' });
    expect(requests).toEqual([]);
  });

  it('is not added if it was left out just before its upload ended', async () => {
    transport.end = async ({ onUrl }) => {
      await onUrl('/api/uploads/u1');
      await dropProfileFile(db, (await firstRow())?.clientId ?? '');
      return 'u1';
    };
    await store();
    await vi.waitFor(() => expect(transport.deleted).toEqual(['/api/uploads/u1']));
    await vi.waitFor(async () => expect(await db.outbox.count()).toBe(0));
    expect(requests).toEqual([]);
  });
});

it('files of one operation are sent in order, and do not delay others', async () => {
  transport.end = ({ mimeType }) =>
    mimeType === 'stuck' ? new Promise(() => undefined) : Promise.resolve('u');
  await store({ bytes: new Blob(['1'], { type: 'stuck' }) });
  await store({ bytes: new Blob(['2']) });
  await store({ path: '/api/users/me/gallery' });
  await vi.waitFor(() => expect(requests.map(({ path }) => path)).toEqual(['/api/users/me/gallery']));
  expect(transport.uploads).toHaveLength(2);
});

it('a tab that stops sending ends its upload, which another tab continues', async () => {
  const started = Promise.withResolvers<void>();
  transport.end = async ({ onUrl, signal }) => {
    await onUrl('/api/uploads/u1');
    started.resolve();
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  };
  await store();
  await started.promise;
  stop();
  await vi.waitFor(async () => expect(await firstRow()).toMatchObject({ state: 'queued', attempts: 0 }));
  transport.end = async () => 'u1';
  stop = startOutbox(db);
  await vi.waitFor(async () => expect(await db.outbox.count()).toBe(0));
  expect(transport.uploads.map(({ url }) => url)).toEqual([null, '/api/uploads/u1']);
});

it('a tab that has stopped sending begins no upload', async () => {
  const stopAtClaim = (change: Partial<OutboxRow>) => {
    if (change.state === 'sending') stop();
  };
  db.outbox.hook('updating', stopAtClaim);
  await store();
  await vi.waitFor(async () => expect(await firstRow()).toMatchObject({ state: 'queued', attempts: 0 }));
  await vi.waitFor(async () => expect(await withOutboxLock(db.scope, async () => 'free')).toBe('free'));
  db.outbox.hook('updating').unsubscribe(stopAtClaim);
  expect(transport.uploads).toEqual([]);
});

it('a file is awaited while its screen waits for the response, from before it is stored', async () => {
  const seen: boolean[] = [];
  db.outbox.hook('creating', (id) => void seen.push(isAwaited(db, id)));
  await send();
  expect(seen).toEqual([true]);
});

describe('a screen whose file another tab sends', () => {
  const response = { id: 'u1' } as ResponseBody;
  /** Starts to send the photo. Returns the result and the row, which this tab does not send. */
  const leave = async () => {
    senderOf(db).setDrain(async () => ({ nextAt: null, unauthorized: false }));
    const sending = send();
    const row = await vi.waitFor(async () => (await firstRow()) ?? expect.fail('not stored'));
    // The screen has seen it.
    await vi.waitFor(() => expect(progress).not.toEqual([]));
    return { sending, row };
  };

  it('gets the response of the leader before, when this tab leads by now', async () => {
    const { sending, row } = await leave();
    const results: Settled[] = [{ row, ok: true, response, gap: false }];
    postToTabs(db.scope, { kind: 'settled', results }, 'another tab');
    expect(await sending).toEqual(response);
  });

  it('ends without the response if this tab has missed it', async () => {
    const { sending, row } = await leave();
    await db.outbox.delete(row.clientId);
    expect(await sending).toBeUndefined();
  });

  it('gets a rejection that this tab has missed', async () => {
    const { sending, row } = await leave();
    await db.outbox.update(row.clientId, { state: 'failed', status: 422, reason: 'Too dark.' });
    await expect(sending).rejects.toMatchObject({ status: 422, detail: 'Too dark.' });
    expect(await db.outbox.count()).toBe(0);
  });
});

it('a file whose screen is closed is sent without it', async () => {
  const closing = new AbortController();
  let end: (id: string) => void = () => undefined;
  transport.end = () =>
    new Promise((resolve) => {
      end = resolve;
    });
  const sending = sendProfileFile(db, photo, () => undefined, new AbortController().signal, closing.signal);
  const ended = sending.catch((error: unknown) => error);
  await vi.waitFor(() => expect(transport.uploads).toHaveLength(1));
  const id = (await firstRow())?.clientId ?? '';
  const shown: boolean[] = [];
  const rows = liveQuery(() => db.outbox.count()).subscribe(() => void shown.push(!isAwaited(db, id)));
  await vi.waitFor(() => expect(shown).toEqual([false]));
  closing.abort();
  expect(await ended).toMatchObject({ name: 'AbortError' });
  await vi.waitFor(() => expect(shown, 'the profile shows it as waiting').toContain(true));
  rows.unsubscribe();
  end('u1');
  await vi.waitFor(async () => expect(await db.outbox.count()).toBe(0));
  expect(requests.map(({ body }) => body)).toEqual([{ uploadId: 'u1' }]);
});
