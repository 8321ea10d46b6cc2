import { expect, it } from 'vitest';
import type { Attachment } from '@/api/types.ts';
import { sourcesOf } from '@/media/sources.ts';
import { playableOf } from './useStoredFile.ts';

const attachment = {
  url: '/files/a/media',
  mimeType: 'audio/webm',
  durationMs: 1,
  waveform: [] as number[],
} as Attachment;
const storedFile = (mimeType: string) =>
  ({ state: 'stored', url: 'blob:a', mimeType, posterUrl: null }) as const;
const noWebm = (mimeType: string) => !mimeType.includes('webm');

it('plays a stored copy with the MIME type of its bytes', () => {
  expect(sourcesOf(playableOf(attachment, storedFile('audio/mp4')), noWebm)).toEqual([
    'blob:a',
    '/files/a/media.mp4',
  ]);
});

it('falls back to the server’s copy when the browser cannot play the stored bytes', () => {
  expect(sourcesOf(playableOf(attachment, storedFile('audio/webm')), noWebm)).toEqual([
    '/files/a/media.mp4',
    'blob:a',
  ]);
  expect(playableOf(attachment, storedFile('')).mimeType).toBe('audio/webm');
});

it('has no fallback for a file in the outbox', () => {
  expect(sourcesOf(playableOf({ ...attachment, url: '' }, storedFile('audio/webm')), noWebm)).toEqual([
    'blob:a',
  ]);
});
