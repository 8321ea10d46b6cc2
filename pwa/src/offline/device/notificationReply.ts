/**
 * A reply typed in a notification while the member's database could not be opened. The worker stores it in the cache
 * that names the member (marker.ts), and the app turns it into a draft.
 */
import { MARKER_CACHE } from './marker.ts';

const PATH = '/hw-answer';

export type NotificationReply = { member: string; conversationId: string; text: string };

export async function storeReply(reply: NotificationReply): Promise<void> {
  const cache = await caches.open(MARKER_CACHE);
  await cache.put(PATH, new Response(JSON.stringify(reply))).catch(() => undefined);
}

/** Returns the member's stored reply, or null. */
export async function readReply(memberId: string): Promise<NotificationReply | null> {
  if (!('caches' in globalThis)) return null;
  const stored = await caches.match(PATH, { cacheName: MARKER_CACHE });
  const reply = stored && ((await stored.json()) as NotificationReply);
  return reply?.member === memberId ? reply : null;
}

export async function deleteReply(): Promise<void> {
  await (await caches.open(MARKER_CACHE)).delete(PATH);
}
