import { describe, expect, it } from 'vitest';
import { formatFor } from './formats.ts';

describe('the format of a recording', () => {
  it('is MP4 if the browser can write it, else WebM, else the browser’s default', () => {
    expect(formatFor('voice', () => true)).toBe('audio/mp4');
    expect(formatFor('voice', (type) => type.includes('webm'))).toBe('audio/webm;codecs=opus');
    expect(formatFor('video', (type) => type.startsWith('video/webm'))).toBe('video/webm;codecs=vp8,opus');
    expect(formatFor('video', () => false)).toBeUndefined();
  });
});
