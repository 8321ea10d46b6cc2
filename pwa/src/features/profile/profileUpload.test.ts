import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';
import { ME, openDb } from '@/offline/testkit.ts';
import { uploadChosenVideo, uploadGalleryVideo } from './profileUpload.ts';

const sendProfileFile = vi.hoisted(() => vi.fn());
vi.mock('@/offline/outbox/profileFile.ts', () => ({ sendProfileFile }));

const db = openDb(ME);
const { signal } = new AbortController();

const blobOfSize = (bytes: number, type: string) => new Blob([new Uint8Array(bytes)], { type });

test('a recording that is too large is rejected before the upload', async () => {
  const clip = {
    blob: blobOfSize(25 * 1024 * 1024 + 1, 'video/mp4'),
    mimeType: 'video/mp4',
    durationMs: 20_000,
    waveform: [],
    poster: null,
  };
  await expect(uploadGalleryVideo(db, clip, () => undefined, signal, signal)).rejects.toThrow(
    'at most 25 MB',
  );
  expect(sendProfileFile).not.toHaveBeenCalled();
});

test.each([
  [uploadGalleryVideo, undefined],
  [uploadChosenVideo, true],
])('only a video of the device is to be converted', async (upload, chosen) => {
  const clip = { blob: blobOfSize(9, 'video/mp4'), durationMs: 2000, waveform: [], poster: null };
  await upload(db, clip, () => undefined, signal, signal);
  expect(sendProfileFile.mock.lastCall?.[1].recorded).toEqual({ durationMs: 2000, waveform: [], chosen });
});
