import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Recording } from '@/api/types.ts';
import { recordingPaths } from '@/features/profile/profileUpload.ts';
import { markAwaited } from '@/offline/outbox/awaited.ts';
import { enqueue, startOutbox } from '@/offline/outbox/outbox.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { OutboxRow } from '@/offline/store/rows.ts';
import { fakeLocks, freshDb } from '@/offline/testkit.ts';
import { refreshMe } from '@/session/session.ts';
import { toast } from '@/ui';
import { followSentFile } from './followSentFile.ts';

vi.mock('@/ui', () => ({ toast: vi.fn(), toastError: vi.fn() }));
vi.mock('@/session/session.ts', () => ({ refreshMe: vi.fn() }));

let db: HeartwardDb;

beforeEach(async () => {
  vi.stubGlobal('navigator', { onLine: true, locks: fakeLocks() });
  vi.mocked(toast).mockClear();
  vi.mocked(refreshMe).mockClear();
  db = await freshDb();
  return () => vi.unstubAllGlobals();
});

/**
 * Handles the result of a greeting that is stored as `f`, sent by this tab or another; `meanwhile` runs as soon as the
 * result is known.
 */
async function follow(meanwhile = () => undefined as unknown, isOwn = true) {
  const bytes = new Blob(['0123456789']);
  await enqueue(db, { method: 'PUT', path: recordingPaths.voice, kind: 'profileFile', id: 'f', bytes });
  const row = (await db.outbox.get('f')) as OutboxRow;
  const following = followSentFile(
    db,
    { row, ok: true, gap: false, response: { id: 'v' } as Recording },
    isOwn,
  );
  meanwhile();
  await following;
}

it('the leading tab says that a recording without a screen is saved', async () => {
  await follow();
  expect(toast).toHaveBeenCalledExactlyOnceWith({ title: 'Recording saved' });
});

it('a screen that waited when the result arrived shows it alone', async () => {
  const endAwaiting = markAwaited(db, 'f');
  await follow(() => endAwaiting(true));
  expect(toast).not.toHaveBeenCalled();
});

it('a screen of another tab that has just shown the result shows it alone', async () => {
  const other = await freshDb('another-session');
  markAwaited(other, 'f')(true);
  db = await freshDb();
  await follow();
  expect(toast).not.toHaveBeenCalled();
});

it('a screen that is gone leaves the result to the toast', async () => {
  markAwaited(db, 'f')(false);
  await vi.waitFor(async () => expect((await navigator.locks.query()).held).toEqual([]));
  await follow();
  expect(toast).toHaveBeenCalledOnce();
});

it('a tab that did not send the file fetches the own profile', async () => {
  await follow(undefined, false);
  expect(refreshMe).toHaveBeenCalledOnce();
});

it('a tab whose screen waits for a file that another tab has sent leaves the own profile to the screen', async () => {
  const endAwaiting = markAwaited(db, 'f');
  await follow(() => endAwaiting(true), false);
  expect(refreshMe).not.toHaveBeenCalled();
});

it('a tab that does not lead says nothing', async () => {
  const stop = startOutbox(db, 'follower');
  await follow();
  stop();
  expect(toast).not.toHaveBeenCalled();
});
