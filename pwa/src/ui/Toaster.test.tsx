import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { dismissToast, Toaster, toast } from './Toaster.tsx';

let shown: HTMLElement;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  shown = document.createElement('div');
  const root = createRoot(shown);
  await act(async () => root.render(<Toaster />));
  return async () => {
    await act(async () => root.unmount());
    vi.unstubAllGlobals();
    vi.useRealTimers();
  };
});

const say = (title: string, duration?: number) => act(async () => toast({ title, duration }));
const pass = (ms: number) => act(async () => vi.advanceTimersByTime(ms));

it('shows one at a time, for five seconds', async () => {
  await say('Like sent!');
  await say('Profile saved');
  expect(shown.textContent).toBe('Profile saved');
  await pass(4999);
  expect(shown.textContent).toBe('Profile saved');
  await pass(1);
  expect(shown.textContent).toBe('');
});

it('brings one that lasts back after others, until it is dismissed', async () => {
  await say('A new version', Number.POSITIVE_INFINITY);
  await say('Like sent!');
  expect(shown.textContent).toBe('Like sent!');
  await pass(5000);
  expect(shown.textContent).toBe('A new version');
  await pass(1e9);
  expect(shown.textContent).toBe('A new version');
  await act(async () => dismissToast());
  expect(shown.textContent).toBe('');
});

it('is one live region: an alert when something went wrong, else the quiet one that was there before', async () => {
  const loud = () => [
    ...shown.querySelectorAll('[aria-live]:not([aria-live=off]), [role=alert], [role=status]'),
  ];
  expect(loud()).toHaveLength(1);
  const quiet = loud()[0];
  await say('Like sent!');
  expect(loud()).toEqual([quiet]);
  await act(async () => toast({ title: 'Error', variant: 'destructive' }));
  expect(loud().map((region) => region.getAttribute('role'))).toEqual(['alert']);
});
