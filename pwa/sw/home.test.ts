import { beforeEach, expect, it, vi } from 'vitest';
import { storeDeviceMember } from '../src/offline/device/marker.ts';
import { fakeCaches } from '../src/offline/testkit.ts';
import { HOME, serveHome } from './home.ts';

const request = { url: 'https://heartward.test/' } as Request;
const shell = async () => new Response('app');
const open = async () => (await serveHome({ request }, shell)).text();

beforeEach(() => {
  vi.stubGlobal('caches', fakeCaches());
  vi.stubGlobal('fetch', async () => new Response('landing page'));
  return () => vi.unstubAllGlobals();
});

it('/ is the server’s for a visitor, and the app for a member', async () => {
  expect(await open()).toBe('landing page');
  await storeDeviceMember('ann');
  expect(await open()).toBe('app');
  await storeDeviceMember(null);
  expect(await open()).toBe('landing page');
});

it('/ is the app when the server cannot be reached, or the device’s member is not known', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
  expect(await open()).toBe('app');
  vi.stubGlobal('caches', { match: () => Promise.reject(new Error('the cache is broken')) });
  expect(await open()).toBe('app');
});

it.each([
  ['/', true],
  ['/?ref=ABCD2345', true],
  ['/home', false],
  ['/welcome', false],
])('%s is the start: %s', (path, isHome) => expect(HOME.test(path)).toBe(isHome));
