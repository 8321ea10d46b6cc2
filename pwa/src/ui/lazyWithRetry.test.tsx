import { act, Suspense } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { lazyWithRetry, useLoaded } from './lazyWithRetry.ts';

it('shows the part once it could be loaded, and the fallback before', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const load = vi
    .fn<() => Promise<{ default: () => string }>>()
    .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    .mockResolvedValue({ default: () => 'part' });
  const Part = lazyWithRetry(load);
  const page = document.createElement('div');
  const root = createRoot(page);
  await act(async () =>
    root.render(
      <Suspense fallback="waiting">
        <Part />
      </Suspense>,
    ),
  );
  await act(() => vi.advanceTimersByTimeAsync(3000));
  expect(page.textContent).toBe('waiting');
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(page.textContent).toBe('part');
  expect(load).toHaveBeenCalledTimes(3);
  act(() => root.unmount());
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const loadText = async () => ({ default: () => 'part' });
const Preloaded = lazyWithRetry(loadText);
const Screen = () => (useLoaded(LaterLoaded) ? <LaterLoaded /> : 'waiting');
const LaterLoaded = lazyWithRetry(loadText);

it('draws a preloaded part without the fallback', async () => {
  await Preloaded.preload();
  const page = document.createElement('div');
  const root = createRoot(page);
  flushSync(() =>
    root.render(
      <Suspense fallback="waiting">
        <Preloaded />
      </Suspense>,
    ),
  );
  expect(page.textContent).toBe('part');
  root.unmount();
});

it('a screen loads a part and is drawn again with it', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const page = document.createElement('div');
  const root = createRoot(page);
  flushSync(() => root.render(<Screen />));
  expect(page.textContent).toBe('waiting');
  await act(async () => undefined);
  expect(page.textContent).toBe('part');
  act(() => root.unmount());
  vi.unstubAllGlobals();
});
