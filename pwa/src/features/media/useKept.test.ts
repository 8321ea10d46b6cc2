import { expect, it } from 'vitest';
import type { Attachment } from '@/api/types.ts';
import { sourcesOf } from '@/media/sources.ts';
import { playableOf } from './useKept.ts';

const sent = {
  url: '/files/a/media',
  mimeType: 'audio/webm',
  durationMs: 1,
  waveform: [] as number[],
} as Attachment;
const kept = (mimeType: string) => ({ state: 'kept', url: 'blob:a', mimeType, posterUrl: null }) as const;
const noWebm = (mimeType: string) => !mimeType.includes('webm');

it('plays the copy that is on this device as what it is', () => {
  expect(sourcesOf(playableOf(sent, kept('audio/mp4')), noWebm)).toEqual(['blob:a', '/files/a/media.mp4']);
});

it('has a way out where this device has bytes that the browser cannot play', () => {
  expect(sourcesOf(playableOf(sent, kept('audio/webm')), noWebm)).toEqual(['/files/a/media.mp4', 'blob:a']);
  expect(playableOf(sent, kept('')).mimeType).toBe('audio/webm');
});

it('looks nowhere else for what waits to be sent', () => {
  expect(sourcesOf(playableOf({ ...sent, url: '' }, kept('audio/webm')), noWebm)).toEqual(['blob:a']);
});
