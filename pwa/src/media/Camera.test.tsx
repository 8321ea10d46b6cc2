import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import Camera from './Camera.tsx';
import { captureStill } from './still.ts';

vi.mock('./still.ts', () => ({ captureStill: vi.fn() }));
vi.mock('./CameraPreview.tsx', () => ({ CameraPreview: () => null }));

it('a browser that gives no picture of the camera is reported, so that another way is offered', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia: async () => ({ getTracks: () => [] }) } });
  const [onPhoto, onUnavailable] = [vi.fn(), vi.fn()];
  const page = document.body.appendChild(document.createElement('div'));
  const root = createRoot(page);
  await act(async () => root.render(<Camera onPhoto={onPhoto} onUnavailable={onUnavailable} />));
  const take = () => act(async () => page.querySelector('button')?.click());
  vi.mocked(captureStill).mockResolvedValueOnce(new Blob(['x']));
  await take();
  expect([onPhoto.mock.calls.length, onUnavailable.mock.calls.length]).toEqual([1, 0]);
  vi.mocked(captureStill).mockResolvedValueOnce(null);
  await take();
  expect([onPhoto.mock.calls.length, onUnavailable.mock.calls.length]).toEqual([1, 1]);
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});
