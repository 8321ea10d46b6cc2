import { expect, it, vi } from 'vitest';
import { leaveDemo, simulate } from './demo.ts';
import type { Picture } from './pictures.ts';

it('gives back the addresses of what it showed when it is left', async () => {
  vi.useFakeTimers();
  const revoked = vi.spyOn(URL, 'revokeObjectURL');
  const pictures = [{ blob: new Blob(['one']) }, { blob: new Blob(['two']) }] as Picture[];
  const sending = simulate({ kind: 'pictures', pictures, caption: '' });
  await vi.runAllTimersAsync();
  const shown = await sending;
  vi.useRealTimers();
  expect(revoked).not.toHaveBeenCalled();
  leaveDemo();
  leaveDemo();
  expect(revoked.mock.calls.flat()).toEqual(shown.kind === 'pictures' && shown.urls);
});
