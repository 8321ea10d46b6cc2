import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { VideoPlayer } from './VideoPlayer.tsx';

const recording = { url: '/files/a/media', mimeType: 'video/webm', durationMs: 1000, waveform: [] };

it('is muted once autoplay is on, until the member plays it', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  const page = document.body.appendChild(document.createElement('div'));
  const root = createRoot(page);
  const draw = (autoplay: boolean) =>
    act(async () => root.render(<VideoPlayer autoplay={autoplay} recording={recording} />));
  const muted = () => page.querySelector('video')?.muted;
  await draw(false);
  expect(muted()).toBe(false);
  await draw(true);
  expect(muted()).toBe(true);
  await act(async () => page.querySelector<HTMLElement>('[aria-label="Play Video"]')?.click());
  await draw(true);
  expect(muted()).toBe(false);
  await act(async () => root.unmount());
  page.remove();
  vi.unstubAllGlobals();
});
