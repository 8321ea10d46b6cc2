/**
 * The cache of photos and video posters for offline use: cache first, complete responses only, of bounded size. The
 * cache's name contains the member's id; it is deleted on sign-out and when the device is locked. The content of an
 * address never changes, so a hit is always valid.
 */
import { readDeviceMember } from '../src/offline/device/marker.ts';
import { FILE_CACHE_PREFIX } from '../src/offline/store/fileCaches.ts';

const LIMITS: Record<string, number> = { 'thumb.webp': 300, 'full.webp': 80, 'poster.webp': 100 };

/** Addresses with a query, which admins use for selfies and the photos beside them, are not stored. */
export const isPhoto = ({ url, request }: { url: URL; request: Request }) =>
  request.method === 'GET' &&
  url.search === '' &&
  !request.headers.has('Range') &&
  /^\/(?:files|api\/community\/pictures)\/[^/]+\/(?:thumb|full|poster)\.webp$/.test(url.pathname);

export async function serveFile(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const hit = await caches.match(request);
  if (hit) return hit;
  // The browser's own cache would be a second copy, which the app cannot delete.
  const response = await fetch(request, { cache: 'no-store' });
  if (response.status === 200) event.waitUntil(store(request, response.clone()));
  return response;
}

async function store(request: Request, response: Response): Promise<void> {
  const member = await readDeviceMember();
  // Nothing may be stored without a signed-in member.
  if (!member) return;
  const variant = request.url.split('/').at(-1) ?? '';
  const limit = LIMITS[variant] ?? 0;
  const name = `${FILE_CACHE_PREFIX}${member}-${variant}`;
  try {
    const cache = await caches.open(name);
    await cache.put(request, response);
    const keys = await cache.keys();
    // Cache keys are in the order of insertion, the oldest first.
    for (const old of keys.slice(0, Math.max(0, keys.length - limit))) await cache.delete(old);
    // The member signed out during the request: the wipe is done and has not removed this entry.
    if ((await readDeviceMember()) !== member) await caches.delete(name);
  } catch {
    // The device is full: photos are dropped, because they can be fetched again.
    await caches.delete(name);
  }
}
