/**
 * A text typed in a notification while the member's database could not be opened. The worker stores it beside the
 * note of the member (marker.ts), and the app makes a draft of it.
 */
import { MARKER_CACHE } from './marker.ts';

const PATH = '/hw-answer';

export type Answer = { member: string; conversationId: string; text: string };

export async function storeAnswer(answer: Answer): Promise<void> {
  const cache = await caches.open(MARKER_CACHE);
  await cache.put(PATH, new Response(JSON.stringify(answer))).catch(() => undefined);
}

/** What the member typed; null when there is nothing of theirs. */
export async function readAnswer(memberId: string): Promise<Answer | null> {
  if (!('caches' in globalThis)) return null;
  const stored = await caches.match(PATH, { cacheName: MARKER_CACHE });
  const answer = stored && ((await stored.json()) as Answer);
  return answer?.member === memberId ? answer : null;
}

export async function dropAnswer(): Promise<void> {
  await (await caches.open(MARKER_CACHE)).delete(PATH);
}
