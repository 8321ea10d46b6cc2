import { expect, it, vi } from 'vitest';
import { revokeDemoUrls, simulateSend } from './demoTransport.ts';
import type { Picture } from './pictures.ts';

it('revokes the URLs of its items when the screen is left', async () => {
  vi.useFakeTimers();
  const revoked = vi.spyOn(URL, 'revokeObjectURL');
  const pictures = [{ blob: new Blob(['one']) }, { blob: new Blob(['two']) }] as Picture[];
  const sending = simulateSend({ kind: 'pictures', pictures, caption: '' });
  await vi.runAllTimersAsync();
  const shown = await sending;
  vi.useRealTimers();
  expect(revoked).not.toHaveBeenCalled();
  revokeDemoUrls();
  revokeDemoUrls();
  expect(revoked.mock.calls.flat()).toEqual(shown.kind === 'pictures' && shown.urls);
});
