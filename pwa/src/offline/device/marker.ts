/**
 * The member whose data this device shows, noted where the worker can read it: it has no localStorage, and not
 * every browser lists its databases. A locked device has no such note.
 */
export const MARKER_CACHE = 'hw-member';
const PATH = '/hw-member';

/** Returns the member who is signed in on this device; null for none. */
export async function readDeviceMember(): Promise<string | null> {
  const noted = await caches.match(PATH, { cacheName: MARKER_CACHE });
  return noted ? noted.text() : null;
}

export async function storeDeviceMember(memberId: string | null): Promise<void> {
  // Only secure contexts have caches, and workers.
  if (!('caches' in globalThis)) return;
  if (memberId === null) await caches.delete(MARKER_CACHE);
  else await (await caches.open(MARKER_CACHE)).put(PATH, new Response(memberId));
}
