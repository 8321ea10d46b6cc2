import { expect, it } from 'vitest';
import { describePlaybackError, sourcesOf } from './sources.ts';

const webm = { url: '/files/a/media', mimeType: 'audio/webm', fallbackUrl: '/files/a/media.mp4' };
const chrome = () => true;
const safari = (mimeType: string) => mimeType.endsWith('mp4');

it('returns the recorded file first if the browser can play it, else the copy', () => {
  expect(sourcesOf(webm, chrome)).toEqual(['/files/a/media', '/files/a/media.mp4']);
  expect(sourcesOf(webm, safari)).toEqual(['/files/a/media.mp4', '/files/a/media']);
});

it('derives the copy of a greeting from its address, and none for a local file', () => {
  const greeting = { url: '/files/a/media', mimeType: 'video/webm' };
  expect(sourcesOf(greeting, chrome)).toEqual(['/files/a/media', '/files/a/media.mp4']);
  expect(sourcesOf(greeting, safari)).toEqual(['/files/a/media.mp4', '/files/a/media']);
  expect(sourcesOf({ ...greeting, url: 'blob:a' }, safari)).toEqual(['blob:a']);
});

it('returns only the recorded file when there is no copy', () => {
  expect(sourcesOf({ ...webm, fallbackUrl: null }, safari)).toEqual(['/files/a/media']);
});

it('describes why playback failed', () => {
  expect(describePlaybackError(webm, true, safari)).toContain('cannot play this kind');
  expect(describePlaybackError(webm, true, chrome)).toContain('Check your connection');
  expect(describePlaybackError(webm, false, chrome)).toContain('offline');
});
