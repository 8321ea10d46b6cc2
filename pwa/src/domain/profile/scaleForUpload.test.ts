import { expect, test } from 'vitest';
import { scaleForUpload } from './scaleForUpload.ts';

test('a picture that stays too large is rejected before the upload', async () => {
  // It cannot be decoded, so it cannot be scaled down.
  const raw = new Blob([new Uint8Array(10 * 1024 * 1024 + 1)], { type: 'image/x-raw' });
  await expect(scaleForUpload(raw)).rejects.toThrow('Please choose a photo of at most 10 MB.');
});
