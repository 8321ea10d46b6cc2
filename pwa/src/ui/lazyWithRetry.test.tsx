import { act, Suspense } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, it, onTestFinished, vi } from 'vitest';
import { lazyWithRetry, loadWithRetry, useLoaded } from './lazyWithRetry.ts';

const failure = () => new TypeError('Failed to fetch dynamically imported module');

/** Draws a part, whose first requests fail, in a page with fake timers. */
async function drawFailing(failures: number) {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const load = vi.fn(async () => ({ default: () => 'part' }));
  for (let times = 0; times < failures; times += 1) load.mockRejectedValueOnce(failure());
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
  const wait = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000));
  onTestFinished(() => {
    act(() => root.unmount());
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  return { page, load, wait };
}

it('a part that could not be loaded is requested again after 2, 4, 8, 16 and 16 seconds, and then drawn', async () => {
  const { page, load, wait } = await drawFailing(5);
  for (const [index, seconds] of [2, 4, 8, 16, 16].entries()) {
    await wait(seconds - 0.001);
    expect(load).toHaveBeenCalledTimes(index + 1);
    expect(page.textContent).toBe('waiting');
    await wait(0.001);
    expect(load, `after ${seconds} s`).toHaveBeenCalledTimes(index + 2);
  }
  expect(page.textContent).toBe('part');
});

it('a part that could not be loaded offline is requested again when the device is online', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const { page, load, wait } = await drawFailing(1);
  await wait(59);
  expect(load).toHaveBeenCalledOnce();
  await act(async () => void dispatchEvent(new Event('online')));
  expect(page.textContent).toBe('part');
  await act(async () => void dispatchEvent(new Event('online')));
  expect(load).toHaveBeenCalledTimes(2);
});

it('a part is requested again every minute by a browser that wrongly reports to be offline', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const { page, load, wait } = await drawFailing(2);
  await wait(60);
  expect(load).toHaveBeenCalledTimes(2);
  await wait(60);
  expect(page.textContent).toBe('part');
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

const beside = loadWithRetry(loadText);
let signal: () => void = () => undefined;
const afterSignal = () => new Promise<void>((resolve) => (signal = resolve));
const Beside = ({ wanted }: { wanted: boolean }) =>
  useLoaded(beside, afterSignal, wanted) ? 'loaded' : 'not yet';

it('what may come later is loaded once it is wanted and its signal has come', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const page = document.createElement('div');
  const root = createRoot(page);
  await act(async () => root.render(<Beside wanted={false} />));
  signal();
  await act(async () => root.render(<Beside wanted />));
  expect([page.textContent, beside.loaded()]).toEqual(['not yet', undefined]);
  await act(async () => signal());
  expect(page.textContent).toBe('loaded');
  act(() => root.unmount());
  vi.unstubAllGlobals();
});
