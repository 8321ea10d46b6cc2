import { expect, it } from 'vitest';
import { sourcesOf, troubleWith } from './sources.ts';

const webm = { url: '/files/a/media', mimeType: 'audio/webm', fallbackUrl: '/files/a/media.mp4' };
const chrome = () => true;
const safari = (mimeType: string) => mimeType.endsWith('mp4');

it('plays as recorded where the browser can, and the copy where it cannot', () => {
  expect(sourcesOf(webm, chrome)).toEqual(['/files/a/media', '/files/a/media.mp4']);
  expect(sourcesOf(webm, safari)).toEqual(['/files/a/media.mp4', '/files/a/media']);
});

it('finds the copy of a greeting, which is told of by nobody, and asks for none of what is only here', () => {
  const greeting = { url: '/files/a/media', mimeType: 'video/webm' };
  expect(sourcesOf(greeting, chrome)).toEqual(['/files/a/media', '/files/a/media.mp4']);
  expect(sourcesOf(greeting, safari)).toEqual(['/files/a/media.mp4', '/files/a/media']);
  expect(sourcesOf({ ...greeting, url: 'blob:a' }, safari)).toEqual(['blob:a']);
});

it('tries what is there where there is no copy', () => {
  expect(sourcesOf({ ...webm, fallbackUrl: null }, safari)).toEqual(['/files/a/media']);
});

it('says why it did not play', () => {
  expect(troubleWith(webm, true, safari)).toContain('cannot play this kind');
  expect(troubleWith(webm, true, chrome)).toContain('Check your connection');
  expect(troubleWith(webm, false, chrome)).toContain('offline');
});
