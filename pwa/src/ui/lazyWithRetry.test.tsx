import { act, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { lazyWithRetry } from './lazyWithRetry.ts';

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
