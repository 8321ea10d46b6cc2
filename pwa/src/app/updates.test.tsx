import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { blockReload } from '@/offline/device/serviceWorker.ts';
import { firstScreenShown } from '@/offline/store/idle.ts';
import { Toaster } from '@/ui';
import { startUpdates } from './updates.tsx';

it('registers the first worker when the first screen is drawn', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const registration = Object.assign(new EventTarget(), { update: async () => undefined });
  const register = vi.fn(async () => registration);
  vi.stubGlobal('navigator', {
    serviceWorker: Object.assign(new EventTarget(), { controller: null, register }),
  });

  startUpdates(() => undefined);
  await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(register).not.toHaveBeenCalled();
  firstScreenShown();
  vi.useRealTimers();
  await vi.waitFor(() => expect(register).toHaveBeenCalledOnce());
  vi.unstubAllGlobals();
});

it('explains why a reload must wait, and offers it again afterwards', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const worker = { postMessage: vi.fn() };
  const registration = Object.assign(new EventTarget(), {
    active: {},
    waiting: worker,
    update: async () => undefined,
  });
  const container = Object.assign(new EventTarget(), { controller: {}, register: async () => registration });
  vi.stubGlobal('navigator', { serviceWorker: container });
  const page = document.body.appendChild(document.createElement('div'));
  const root = createRoot(page);
  await act(async () => root.render(<Toaster />));
  const reload = () => [...page.querySelectorAll('button')].find((button) => button.textContent === 'Reload');

  const unblock = blockReload();
  await act(async () => startUpdates(() => undefined));
  await vi.waitFor(() => expect(reload()).toBeDefined());
  await act(async () => reload()?.click());
  expect(page.textContent).toContain('You can reload once your recording or upload is done.');
  expect(reload()).toBeUndefined();
  expect(worker.postMessage).not.toHaveBeenCalled();

  await act(async () => unblock());
  await act(async () => reload()?.click());
  expect(worker.postMessage).toHaveBeenCalledExactlyOnceWith({ type: 'SKIP_WAITING' });
  expect(page.textContent).toBe('');
  await act(async () => root.unmount());
  page.remove();
  vi.unstubAllGlobals();
});
