import { beforeEach, expect, it, vi } from 'vitest';
import boot from '../../public/boot.js?raw';

const unregister = vi.fn(async () => true);
let names: string[];

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
  localStorage.setItem('hw.member', 'me');
  names = ['workbox-precache-v2-http://x/', 'hw-files-me-thumb.webp'];
  document.body.innerHTML = '<div id="root"><div id="boot"></div></div>';
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => ({ unregister }) } });
  vi.stubGlobal('caches', {
    keys: async () => [...names],
    delete: async (name: string) => names.splice(names.indexOf(name), 1),
  });
  vi.stubGlobal('fetch', async () => new Response('ok'));
  vi.spyOn(location, 'reload').mockImplementation(() => undefined);
  return () => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  };
});

async function start(): Promise<void> {
  new Function(boot)();
  dispatchEvent(new Event('load'));
  await vi.advanceTimersByTimeAsync(10_000);
}

it('reloads a page that stays blank without the cached shell, once, and keeps the member’s data', async () => {
  await start();
  expect(location.reload).toHaveBeenCalledTimes(1);
  expect(names).toEqual(['hw-files-me-thumb.webp']);
  expect(localStorage.getItem('hw.member')).toBe('me');
  await start();
  expect(location.reload).toHaveBeenCalledTimes(1);
});

it('changes nothing while the server does not respond', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('offline')));
  await start();
  expect(location.reload).not.toHaveBeenCalled();
  expect(names).toHaveLength(2);
});

it('changes nothing once the app has rendered', async () => {
  document.body.innerHTML = '<div id="root"><main></main></div>';
  await start();
  expect(location.reload).not.toHaveBeenCalled();
});
