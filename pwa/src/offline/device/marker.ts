/**
 * The id of the signed-in member, stored in a cache for the worker, which has no localStorage; and not every browser
 * can list databases. A locked device has no such entry.
 */
export const MARKER_CACHE = 'hw-member';
const PATH = '/hw-member';

/** Returns the id of the member who is signed in on this device, or null. */
export async function readDeviceMember(): Promise<string | null> {
  const stored = await caches.match(PATH, { cacheName: MARKER_CACHE });
  return stored ? stored.text() : null;
}

export async function storeDeviceMember(memberId: string | null): Promise<void> {
  // Only secure contexts have caches, and workers.
  if (!('caches' in globalThis)) return;
  if (memberId === null) await caches.delete(MARKER_CACHE);
  else await (await caches.open(MARKER_CACHE)).put(PATH, new Response(memberId));
}
