import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { formatDay } from './format.ts';
import { useDay, useMinute } from './now.ts';

const sentAt = new Date(2026, 10, 21, 23, 50);

function Line() {
  useDay();
  return formatDay(sentAt);
}

function Minutes() {
  return (useMinute() - sentAt.getTime()) / 60_000;
}

let unmount: () => void;
const page = document.createElement('div');

async function draw(element: React.ReactElement) {
  const root = createRoot(page);
  unmount = () => act(() => root.unmount());
  await act(async () => root.render(element));
}

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers({ now: new Date(2026, 10, 21, 23, 58, 30) });
  return () => vi.unstubAllGlobals();
});

afterEach(() => {
  unmount();
  expect(vi.getTimerCount(), 'timers that are left').toBe(0);
  vi.useRealTimers();
});

it('"Today" becomes "Yesterday" at midnight', async () => {
  await draw(<Line />);
  await act(() => vi.advanceTimersByTimeAsync(89_000));
  expect(page.textContent).toBe('Today');
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(page.textContent).toBe('Yesterday');
});

it('a device that slept over midnight shows the new day when its page is visible again', async () => {
  await draw(<Line />);
  vi.setSystemTime(new Date(2026, 10, 22, 7));
  await act(async () => document.dispatchEvent(new Event('visibilitychange')));
  expect(page.textContent).toBe('Yesterday');
});

it('a minute is over at the full minute of the clock', async () => {
  await draw(<Minutes />);
  expect(page.textContent).toBe('8');
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect(page.textContent).toBe('9');
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(page.textContent).toBe('10');
});
