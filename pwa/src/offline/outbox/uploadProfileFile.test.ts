import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../api/request.ts';
import type { HeartwardDb } from '../store/db.ts';
import type { OutboxRow, ProfileFile } from '../store/rows.ts';
import { fakeLocks, freshDb, json } from '../testkit.ts';
import { drain } from './drain.ts';
import { enqueue, startOutbox } from './outbox.ts';
import { sendProfileFile } from './profileFile.ts';
import { retry } from './rejectedRows.ts';
import { senderOf } from './sender.ts';
import { photo, resetTransport, transport } from './testkit.ts';
import { uploadProfileFile } from './uploadProfileFile.ts';

vi.mock('./tus.ts', async (original) => (await import('./testkit.ts')).withFakeTransport(await original()));

let db: HeartwardDb;
let respond: () => Response;
let stop: () => void;

/** Sends the photo; the connection returns whenever the upload waits for it. */
const send = () =>
  sendProfileFile(
    db,
    photo,
    (_share, isWaiting) => isWaiting && setTimeout(() => dispatchEvent(new Event('online'))),
    new AbortController().signal,
  );

/** Stores a file as a screen without a result does. Returns the id of its row. */
const store = (change: Partial<typeof photo | { path: string; poster: Blob }> = {}) =>
  enqueue(db, { ...photo, ...change, kind: 'profileFile', id: crypto.randomUUID() });

const fileOf = (row: OutboxRow | undefined) => row?.body as ProfileFile | undefined;

beforeEach(async () => {
  vi.stubGlobal('navigator', { onLine: true, locks: fakeLocks() });
  resetTransport();
  respond = () => json(201, { id: 'u1' });
  vi.stubGlobal('fetch', async () => respond());
  db = await freshDb();
  senderOf(db).setDrain(drain);
  stop = startOutbox(db);
  return () => {
    stop();
    vi.unstubAllGlobals();
  };
});

describe('a picture', () => {
  it('is scaled down once, before its upload, which continues with the same bytes', async () => {
    const scale = vi.fn(async () => new Blob(['small']));
    senderOf(db).setScalePicture(scale);
    const ends = [new TypeError('cut'), null];
    const blobIds: unknown[] = [];
    transport.end = async ({ onUrl, url }) => {
      blobIds.push((await db.profileFiles.toCollection().primaryKeys()).join());
      if (!url) await onUrl('/api/uploads/u1');
      const error = ends.shift();
      if (error) throw error;
      return 'u1';
    };
    await send();
    expect(scale).toHaveBeenCalledOnce();
    expect(blobIds[1], 'of the scaled picture alone').toBe(blobIds[0]);
    expect(blobIds[0]).not.toContain(',');
    expect(await db.profileFiles.count()).toBe(0);
  });

  it('that stays too large is rejected, and stays with the reason', async () => {
    senderOf(db).setScalePicture(async () => {
      throw new ApiError(413, 'invalid', 'Please choose a photo of at most 10 MB.');
    });
    const id = await store();
    await vi.waitFor(async () =>
      expect(await db.outbox.get(id)).toMatchObject({
        state: 'failed',
        reason: 'Please choose a photo of at most 10 MB.',
      }),
    );
    expect(transport.uploads).toEqual([]);
    expect(await db.profileFiles.count()).toBe(1);
  });

  it('is scaled by one of two tabs: the bytes that the first one sends stay', async () => {
    stop();
    const id = await store();
    const row = (await db.outbox.get(id)) as OutboxRow;
    const sent: unknown[] = [];
    transport.end = async () => {
      sent.push(...(await db.profileFiles.toCollection().primaryKeys()));
      return 'u1';
    };
    const tab = () =>
      uploadProfileFile(db, row, {
        scale: async () => new Blob(['small']),
        onAccepted: () => undefined,
        signal: new AbortController().signal,
      });
    const [first] = await Promise.all([tab(), tab()]);
    expect(new Set(sent)).toEqual(new Set([first.blobId]));
  });

  const full = () => Promise.reject(new DOMException('full', 'QuotaExceededError')) as never;

  it('that does not fit on the device is not stored, and the member is told why', async () => {
    const add = vi.spyOn(db.profileFiles, 'add').mockImplementation(full);
    await expect(send()).rejects.toThrow('This device is full. Free some space and try again.');
    add.mockRestore();
    expect(await db.outbox.count()).toBe(0);
  });

  it('whose scaled bytes do not fit on the device stays with the reason', async () => {
    senderOf(db).setScalePicture(async () => new Blob(['small']));
    const id = await store();
    const add = vi.spyOn(db.profileFiles, 'add').mockImplementation(full);
    await vi.waitFor(async () =>
      expect(await db.outbox.get(id)).toMatchObject({
        state: 'failed',
        reason: 'This device is full. Free some space and try again.',
      }),
    );
    add.mockRestore();
    expect(await db.profileFiles.count()).toBe(1);
  });

  it('that was rejected is sent again from the start when the member wants that', async () => {
    respond = () => json(422, { detail: 'Too dark.' });
    const id = await store();
    await vi.waitFor(async () => expect((await db.outbox.get(id))?.reason).toBe('Too dark.'));
    expect(fileOf(await db.outbox.get(id))?.upload).toEqual({ url: null, id: null });
    expect(transport.deleted).toEqual(['/api/uploads/u1']);
    respond = () => json(201, { id: 'u1' });
    await retry(db, id);
    await vi.waitFor(async () => expect(await db.outbox.count()).toBe(0));
    expect(transport.uploads.map(({ url }) => url)).toEqual([null, null]);
    expect(await db.profileFiles.count()).toBe(0);
  });
});

it('a file whose bytes are gone is rejected, and not tried for ever', async () => {
  stop();
  const id = await store();
  await db.profileFiles.clear();
  stop = startOutbox(db);
  await vi.waitFor(async () =>
    expect(await db.outbox.get(id)).toMatchObject({
      state: 'failed',
      status: 422,
      reason: 'This file is no longer on this device.',
    }),
  );
});
