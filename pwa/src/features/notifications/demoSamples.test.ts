import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { playDemo } from './demoSamples.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('shows samples at 2, 5 and 8 seconds and completes at 11', () => {
  const timeline: [number, string][] = [];
  const startedAt = Date.now();
  const record = (name: string) => timeline.push([Date.now() - startedAt, name]);
  playDemo(
    ({ tag }) => record(tag),
    () => record('complete'),
  );
  vi.advanceTimersByTime(60_000);
  expect(timeline).toEqual([
    [2000, 'demo-match'],
    [5000, 'demo-message'],
    [8000, 'demo-likes'],
    [11_000, 'complete'],
  ]);
});

it('shows nothing after it was stopped', () => {
  const show = vi.fn();
  const stop = playDemo(show, show);
  vi.advanceTimersByTime(2000);
  stop();
  vi.advanceTimersByTime(60_000);
  expect(show).toHaveBeenCalledTimes(1);
});
