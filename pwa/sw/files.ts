/**
 * Members' photos and the stills of their videos for reading offline: cache first, complete answers only,
 * bounded, in a cache that carries the member's name and goes on sign-out and when the device is locked.
 * A photo's address never changes its content, so a hit is always right.
 */
import { readDeviceMember } from '../src/offline/device/marker.ts';
import { FILE_CACHE_PREFIX } from '../src/offline/store/fileCaches.ts';

const LIMITS: Record<string, number> = { 'thumb.webp': 300, 'full.webp': 80, 'poster.webp': 100 };

export const isPhoto = ({ url, request }: { url: URL; request: Request }) =>
  request.method === 'GET' &&
  !request.headers.has('Range') &&
  /^\/files\/[^/]+\/(?:thumb|full|poster)\.webp$/.test(url.pathname);

export async function photo(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const hit = await caches.match(request);
  if (hit) return hit;
  const response = await fetch(request);
  if (response.status === 200) event.waitUntil(keep(request, response.clone()));
  return response;
}

async function keep(request: Request, response: Response): Promise<void> {
  const member = await readDeviceMember();
  // Nobody is signed in: nothing may be stored.
  if (!member) return;
  const variant = request.url.split('/').at(-1) ?? '';
  const limit = LIMITS[variant] ?? 0;
  const name = `${FILE_CACHE_PREFIX}${member}-${variant}`;
  try {
    const cache = await caches.open(name);
    await cache.put(request, response);
    const keys = await cache.keys();
    // Cache keys come in the order they were put: the first are the oldest.
    for (const old of keys.slice(0, Math.max(0, keys.length - limit))) await cache.delete(old);
    // The member signed out while it travelled: the wipe is through and would not see it.
    if ((await readDeviceMember()) !== member) await caches.delete(name);
  } catch {
    // The device is full: photos can be fetched again, messages cannot.
    await caches.delete(name);
  }
}
