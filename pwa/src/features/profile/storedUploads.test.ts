import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/request.ts';
import type { Recording } from '@/api/types.ts';
import { sendStoredFile, storeProfileFile } from '@/offline/outbox/profileFile.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { freshDb } from '@/offline/testkit.ts';
import { pictureTargets, recordingPaths } from './profileUpload.ts';
import { readDraft, storeDraft } from './storedDraft.ts';
import { addPicture, dropPicture, resumeUploads, retryPicture } from './storedUploads.ts';

vi.mock('@/session/session.ts', () => ({ refreshMe: async () => undefined }));
vi.mock('@/offline/outbox/profileFile.ts', async (original) => ({
  ...(await original<typeof import('@/offline/outbox/profileFile.ts')>()),
  sendStoredFile: vi.fn(),
}));

let db: HeartwardDb;
const sendFile = vi.mocked(sendStoredFile);
const picture = new Blob(['0123456789']);
const paths = async () => (await db.profileUploads.toArray()).map(({ path }) => path);

beforeEach(async () => {
  db = await freshDb();
  sendFile.mockReset();
  sendFile.mockImplementation(async (_, id, { onAdded }) => {
    await onAdded?.({ id: 'voice-1' });
    await db.profileUploads.delete(id);
  });
});

it('a rejected picture stays with the reason until it is sent again', async () => {
  sendFile.mockRejectedValueOnce(new ApiError(422, 'invalid', 'There is no picture in this file.'));
  await addPicture(db, 'photos', { bytes: picture });
  const [row] = await db.profileUploads.toArray();
  expect(row?.failure).toBe('There is no picture in this file.');
  await retryPicture(db, row?.id ?? '');
  expect(await paths()).toEqual([]);
});

it('a picture that is left out is deleted from the device', async () => {
  sendFile.mockRejectedValueOnce(new ApiError(422, 'invalid', ''));
  await addPicture(db, 'photos', { bytes: picture });
  const [row] = await db.profileUploads.toArray();
  await dropPicture(db, row?.id ?? '');
  expect(await paths()).toEqual([]);
});

it('the unsent files of an earlier page are sent in order, without rejected pictures', async () => {
  const { photos } = pictureTargets;
  const store = async (path: string, createdAt: number, change = {}) => {
    const id = await storeProfileFile(db, { method: photos.method, path, bytes: picture });
    await db.profileUploads.update(id, { createdAt, ...change });
    return id;
  };
  const second = await store(photos.path, 2);
  const first = await store(photos.path, 1);
  await store(photos.path, 3, { failure: 'Too dark.' });
  await storeProfileFile(db, { ...photos, bytes: picture }); // by this page
  await resumeUploads(db);
  await vi.waitFor(async () => expect(await paths()).toHaveLength(2));
  expect(sendFile.mock.calls.map(([, id]) => id)).toEqual([first, second]);
});

it('a recorded answer that an earlier page has left is added to the draft', async () => {
  const question = 'A perfect Sunday';
  const prompt = { question, answer: '', voice: null };
  storeDraft(db, { prompts: [prompt, { ...prompt, question: 'Other' }] });
  const id = await storeProfileFile(db, {
    method: 'PUT',
    path: recordingPaths.answer,
    bytes: picture,
    question,
  });
  await db.profileUploads.update(id, { createdAt: 1 });
  await resumeUploads(db);
  await vi.waitFor(async () => expect(await paths()).toEqual([]));
  const voice = { id: 'voice-1' } as Recording;
  expect(readDraft(db).prompts).toEqual([
    { ...prompt, voice },
    { ...prompt, question: 'Other' },
  ]);
});
