/**
 * The cache of photos and video posters for offline use: complete responses only, of bounded size. The cache's name
 * contains the member's id; it is deleted on sign-out and when the device is locked. The content of an address never
 * changes, but who may see it does: the server is asked before each use of a copy, and a refusal deletes the copy.
 */
import { readDeviceMember } from '../src/offline/device/marker.ts';
import { deleteCachedFiles, FILE_CACHE_PREFIX } from '../src/offline/store/fileCaches.ts';

const LIMITS: Record<string, number> = { 'thumb.webp': 300, 'full.webp': 80, 'poster.webp': 100 };

/** Addresses with a query, which admins use for selfies and the photos beside them, are not stored. */
export const isPhoto = ({ url, request }: { url: URL; request: Request }) =>
  request.method === 'GET' &&
  url.search === '' &&
  !request.headers.has('Range') &&
  /^\/(?:files|api\/community\/pictures)\/[^/]+\/(?:thumb|full|poster)\.webp$/.test(url.pathname);

const isRefusal = ({ status }: Response) => [401, 403, 404, 410].includes(status);

/** How long the server may take to confirm a copy (ms). After that the network is treated as absent. */
export const CONFIRM_WITHIN = 3000;

/** Returns the photo from the server, or its copy when the server confirms the copy or cannot be reached. */
export async function serveFile(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const copy = await caches.match(request);
  const answer = fetchFile(event, copy?.headers.get('ETag'));
  if (!copy) return answer;
  const confirmed = answer.then(
    (response) => (response.status === 200 || isRefusal(response) ? response : copy),
    () => copy,
  );
  event.waitUntil(confirmed);
  const timeout = new Promise<Response>((resolve) => setTimeout(resolve, CONFIRM_WITHIN, copy));
  return Promise.race([confirmed, timeout]);
}

async function fetchFile(event: FetchEvent, etag?: string | null): Promise<Response> {
  const { request } = event;
  // By the address, because the request of an <img> may not have a condition.
  const response = await fetch(request.url, {
    // The browser's own cache would be a second copy, which the app cannot delete.
    cache: 'no-store',
    headers: etag ? { 'If-None-Match': etag } : {},
  });
  if (response.status === 200) event.waitUntil(store(request, response.clone()));
  if (isRefusal(response)) await deleteCachedFiles([request.url]);
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
