import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Recording } from '@/api/types.ts';
import { markAwaited } from '@/offline/outbox/awaited.ts';
import { enqueue, type Settled } from '@/offline/outbox/outbox.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { OutboxRow, ProfileFileDetails } from '@/offline/store/rows.ts';
import { freshDb } from '@/offline/testkit.ts';
import { toast, toastError } from '@/ui';
import { pictureTargets, recordingPaths } from './profileUpload.ts';
import { handleRejectedFiles, handleSentFile } from './sentFiles.ts';
import { readDraft, storeDraft } from './storedDraft.ts';

vi.mock('@/ui', () => ({ toast: vi.fn(), toastError: vi.fn() }));

let db: HeartwardDb;
const greeting = { method: 'PUT', path: recordingPaths.voice } as const;
const rejected = { ok: false, status: 422, reason: 'There is no sound in this recording.' } as const;

beforeEach(async () => {
  db = await freshDb();
  localStorage.removeItem('hw.profile-draft');
  vi.mocked(toast).mockClear();
  vi.mocked(toastError).mockClear();
});

/** Handles the result of a stored file, in the tab that announces it or in another one. */
async function settle(
  file: ProfileFileDetails,
  result: Omit<Settled & { ok: false }, 'row'> | Recording,
  announces = true,
) {
  await enqueue(db, { ...file, kind: 'profileFile', id: 'f', bytes: new Blob(['0123456789']) });
  const row = (await db.outbox.get('f')) as OutboxRow;
  await handleSentFile(
    db,
    'ok' in result ? { ...result, row } : { row, ok: true, gap: false, response: result },
    announces,
  );
}

const voice = { id: 'voice-1' } as Recording;

it('a recording whose screen is gone is said to be saved', async () => {
  await settle(greeting, voice);
  expect(toast).toHaveBeenCalledExactlyOnceWith({ title: 'Recording saved' });
});

it('a selfie whose screen is gone is said to be sent', async () => {
  await settle({ method: 'PUT', path: '/api/verification/selfie' }, voice);
  expect(toast).toHaveBeenCalledExactlyOnceWith({ title: 'Selfie sent' });
});

it('a rejected recording whose screen is gone is deleted, with the reason in a toast', async () => {
  await settle(greeting, rejected);
  expect(toastError).toHaveBeenCalledExactlyOnceWith(rejected.reason);
  expect([await db.outbox.count(), await db.profileFiles.count()]).toEqual([0, 0]);
});

it('a recording that was rejected when no page was open is deleted by the next page, a picture stays', async () => {
  for (const [id, file] of Object.entries({ greeting, photo: pictureTargets.photos }))
    await enqueue(db, { ...file, kind: 'profileFile', id, bytes: new Blob(['0123456789']) });
  await db.outbox.toCollection().modify({ state: 'failed', status: 422, reason: rejected.reason });
  await handleRejectedFiles(db);
  expect(toastError).toHaveBeenCalledExactlyOnceWith(rejected.reason);
  expect(await db.outbox.toCollection().primaryKeys()).toEqual(['photo']);
});

it('a rejected picture is left to its screen', async () => {
  await settle({ ...pictureTargets.photos }, rejected);
  expect(toastError).not.toHaveBeenCalled();
  expect([await db.outbox.count(), await db.profileFiles.count()]).toEqual([1, 1]);
});

it('a rejected recording is left to the screen that waits for it', async () => {
  await enqueue(db, { ...greeting, kind: 'profileFile', id: 'f', bytes: new Blob(['0123456789']) });
  await db.outbox.update('f', { state: 'failed', status: 422, reason: rejected.reason });
  const endAwaiting = markAwaited(db, 'f');
  await handleRejectedFiles(db);
  expect(toastError).not.toHaveBeenCalled();
  endAwaiting(false);
  await handleRejectedFiles(db);
  expect(toastError).toHaveBeenCalledExactlyOnceWith(rejected.reason);
});

it('another tab than the one that announces a result says nothing, and has a recorded answer in its draft', async () => {
  const question = 'A perfect Sunday';
  storeDraft(db, { prompts: [{ question, answer: '', voice: null }] });
  await settle({ method: 'PUT', path: recordingPaths.answer, question }, voice, false);
  expect(toast).not.toHaveBeenCalled();
  expect(readDraft(db).prompts).toEqual([{ question, answer: '', voice }]);
});

it('a recorded answer whose screen is gone is added to the draft', async () => {
  const question = 'A perfect Sunday';
  const prompt = { question, answer: '', voice: null };
  storeDraft(db, { prompts: [prompt, { ...prompt, question: 'Other' }] });
  await settle({ method: 'PUT', path: recordingPaths.answer, question }, voice);
  expect(readDraft(db).prompts).toEqual([
    { ...prompt, voice },
    { ...prompt, question: 'Other' },
  ]);
});
