import { beforeEach, expect, it, vi } from 'vitest';
import { whenDrawn } from './whenDrawn.ts';

const work = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('requestIdleCallback', (callback: () => void) => setTimeout(callback));
  work.mockReset();
  return () => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  };
});

it('waits for the end of the skeletons', async () => {
  document.body.innerHTML = '<main><div class="animate-skeleton"></div></main>';
  whenDrawn(work);
  await vi.advanceTimersByTimeAsync(1000);
  expect(work).not.toHaveBeenCalled();
  document.body.innerHTML = '<main>People</main>';
  await vi.advanceTimersByTimeAsync(200);
  expect(work).toHaveBeenCalledTimes(1);
});

it('waits for pictures that are loaded eagerly', async () => {
  document.body.innerHTML = '<main><img src="/a"><img src="/b" loading="lazy"></main>';
  const [eager, lazy] = document.querySelectorAll('img');
  const complete = vi.fn(() => false);
  for (const picture of [eager, lazy])
    Object.defineProperty(picture, 'complete', { get: complete, configurable: true });
  whenDrawn(work);
  await vi.advanceTimersByTimeAsync(1000);
  expect(work).not.toHaveBeenCalled();
  Object.defineProperty(eager, 'complete', { get: () => true });
  await vi.advanceTimersByTimeAsync(200);
  expect(work).toHaveBeenCalledTimes(1);
});

it('waits three seconds at most, and not at all once cancelled', async () => {
  document.body.innerHTML = '';
  const callback = vi.fn();
  whenDrawn(work);
  whenDrawn(callback)();
  await vi.advanceTimersByTimeAsync(2500);
  expect(work).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1000);
  expect(work).toHaveBeenCalledTimes(1);
  expect(callback).not.toHaveBeenCalled();
});
