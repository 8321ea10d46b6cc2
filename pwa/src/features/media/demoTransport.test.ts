import { expect, it, vi } from 'vitest';
import { revokeDemoUrls, simulateSend } from './demoTransport.ts';
import type { Picture } from './sentPictures.ts';

it('revokes the URLs of its items when the screen is left', async () => {
  vi.useFakeTimers();
  const revokeUrl = vi.spyOn(URL, 'revokeObjectURL');
  const pictures = [{ blob: new Blob(['one']) }, { blob: new Blob(['two']) }] as Picture[];
  const sending = simulateSend({ kind: 'pictures', pictures, caption: '' });
  await vi.runAllTimersAsync();
  const content = await sending;
  vi.useRealTimers();
  expect(revokeUrl).not.toHaveBeenCalled();
  revokeDemoUrls();
  revokeDemoUrls();
  expect(revokeUrl.mock.calls.flat()).toEqual(content.kind === 'pictures' && content.urls);
});
