import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { dismissToast, Toaster, toast, toastError } from './Toaster.tsx';

let container: HTMLElement;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  await act(async () => root.render(<Toaster />));
  return async () => {
    await act(async () => dismissToast());
    await act(async () => root.unmount());
    container.remove();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  };
});

const showToast = (title: string, duration?: number) => act(async () => toast({ title, duration }));
const advance = (ms: number) => act(async () => vi.advanceTimersByTime(ms));

it('shows one at a time, for five seconds', async () => {
  await showToast('Like sent!');
  await showToast('Profile saved');
  expect(container.textContent).toBe('Profile saved');
  await advance(4999);
  expect(container.textContent).toBe('Profile saved');
  await advance(1);
  expect(container.textContent).toBe('');
});

it('shows a toast for its own time, also one that follows another at once', async () => {
  await showToast('Like sent!');
  await advance(4000);
  await act(async () => {
    dismissToast();
    toast({ title: 'Profile saved' });
  });
  await advance(4999);
  expect(container.textContent).toBe('Profile saved');
});

it('shows a lasting toast again after others, until it is dismissed', async () => {
  await showToast('A new version', Number.POSITIVE_INFINITY);
  await showToast('Like sent!');
  expect(container.textContent).toBe('Like sent!');
  await advance(5000);
  expect(container.textContent).toBe('A new version');
  await advance(1e9);
  expect(container.textContent).toBe('A new version');
  await act(async () => dismissToast());
  expect(container.textContent).toBe('');
});

it('uses one live region at a time: an alert for an error, else the persistent polite one', async () => {
  const liveRegions = () => [
    ...container.querySelectorAll('[aria-live]:not([aria-live=off]), [role=alert], [role=status]'),
  ];
  expect(liveRegions()).toHaveLength(1);
  const quiet = liveRegions()[0];
  await showToast('Like sent!');
  expect(liveRegions()).toEqual([quiet]);
  await act(async () => toastError(undefined));
  expect(liveRegions().map((region) => region.getAttribute('role'))).toEqual(['alert']);
});

it('shows an error as an alert with its description', async () => {
  await act(async () => toastError('Quiet hours need a start and an end.'));
  const alert = container.querySelector('[role=alert]');
  expect(alert?.textContent).toBe('ErrorQuiet hours need a start and an end.');
});

const card = () => container.querySelector<HTMLElement>('.hw-toast');
const point = (type: string) =>
  act(async () =>
    card()?.dispatchEvent(new PointerEvent(type, { bubbles: true, relatedTarget: document.body })),
  );

it('stays while it is hovered or focused', async () => {
  await showToast('Passed on Bea');
  await point('pointerover');
  await advance(60_000);
  expect(container.textContent).toBe('Passed on Bea');
  await point('pointerout');
  await act(async () => card()?.focus());
  await advance(60_000);
  expect(container.textContent).toBe('Passed on Bea');
  await act(async () => card()?.blur());
  await advance(4999);
  expect(container.textContent).toBe('Passed on Bea');
  await advance(1);
  expect(container.textContent).toBe('');
});

it('restores the previous focus', async () => {
  const field = document.body.appendChild(document.createElement('input'));
  field.focus();
  await showToast('Passed on Bea');
  await act(async () => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'F8' })));
  expect(document.activeElement).toBe(card());
  await act(async () => container.querySelector<HTMLElement>('[aria-label=Dismiss]')?.focus());
  await act(async () => dismissToast());
  expect(document.activeElement).toBe(field);
  field.remove();
});

it('is above the page in a browser without popovers', async () => {
  await showToast('Like sent!');
  expect(card()?.className).toMatch(/\bz-50\b/);
});
