/**
 * Whether notifications of this device leave out names and texts, for the worker, which has no localStorage: it renews a
 * subscription while the app is closed, and the server may have deleted the setting with the old one. It is stored in the cache
 * that names the member (marker.ts).
 */
import { MARKER_CACHE } from './marker.ts';

const PATH = '/hw-hides-content';

export async function storeHidesContent(hides: boolean): Promise<void> {
  if (!('caches' in globalThis)) return;
  const cache = await caches.open(MARKER_CACHE);
  if (hides) await cache.put(PATH, new Response('1'));
  else await cache.delete(PATH);
}

export const readHidesContent = async (): Promise<boolean> =>
  (await caches.match(PATH, { cacheName: MARKER_CACHE })) !== undefined;
