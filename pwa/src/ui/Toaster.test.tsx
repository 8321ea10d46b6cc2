import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { dismissToast, Toaster, toast, toastError } from './Toaster.tsx';

let shown: HTMLElement;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  shown = document.body.appendChild(document.createElement('div'));
  const root = createRoot(shown);
  await act(async () => root.render(<Toaster />));
  return async () => {
    await act(async () => dismissToast());
    await act(async () => root.unmount());
    shown.remove();
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

it('shows an error as an alert with its description', async () => {
  await act(async () => toastError('Quiet hours need a beginning and an end.'));
  const alert = shown.querySelector('[role=alert]');
  expect(alert?.textContent).toBe('ErrorQuiet hours need a beginning and an end.');
});

const card = () => shown.querySelector<HTMLElement>('.hw-toast');
const point = (type: string) =>
  act(async () =>
    card()?.dispatchEvent(new PointerEvent(type, { bubbles: true, relatedTarget: document.body })),
  );

it('stays while the pointer or the focus is on it', async () => {
  await say('Passed on Bea');
  await point('pointerover');
  await pass(60_000);
  expect(shown.textContent).toBe('Passed on Bea');
  await point('pointerout');
  await act(async () => card()?.focus());
  await pass(60_000);
  expect(shown.textContent).toBe('Passed on Bea');
  await act(async () => card()?.blur());
  await pass(4999);
  expect(shown.textContent).toBe('Passed on Bea');
  await pass(1);
  expect(shown.textContent).toBe('');
});

it('gives the focus back to where it was', async () => {
  const field = document.body.appendChild(document.createElement('input'));
  field.focus();
  await say('Passed on Bea');
  await act(async () => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'F8' })));
  expect(document.activeElement).toBe(card());
  await act(async () => shown.querySelector<HTMLElement>('[aria-label=Dismiss]')?.focus());
  await act(async () => dismissToast());
  expect(document.activeElement).toBe(field);
  field.remove();
});

it('lies above the page where there are no popovers', async () => {
  await say('Like sent!');
  expect(card()?.className).toMatch(/\bz-50\b/);
});
