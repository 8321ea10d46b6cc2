import { expect, it, vi } from 'vitest';

it('waits for the first screen to be drawn, at most 1.5 seconds, and then for an idle browser', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw, 16));
  vi.stubGlobal('requestIdleCallback', (work: () => void) => setTimeout(work, 5));
  const start = async () => {
    vi.resetModules();
    const module = await import('./idle.ts');
    const done = vi.fn();
    void module.whenIdle().then(done);
    return { ...module, done };
  };
  const shown = await start();
  await vi.advanceTimersByTimeAsync(500);
  expect(shown.done).not.toHaveBeenCalled();
  shown.firstScreenShown();
  await vi.advanceTimersByTimeAsync(40);
  expect(shown.done).toHaveBeenCalledOnce();

  const { done } = await start();
  await vi.advanceTimersByTimeAsync(1490);
  expect(done).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(20);
  expect(done).toHaveBeenCalledOnce();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
