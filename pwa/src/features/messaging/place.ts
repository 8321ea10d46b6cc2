/** The reader's place in a conversation, remembered and found again. */
import { onWipe } from '@/offline/store/teardown.ts';

/** Where the reader was, by conversation: the topmost message, and how far below the top it stood. */
export type Place = { clientId: string; seq: number; top: number };
const places = new Map<string, Place>();
onWipe(() => places.clear());

/** Where the conversation was left, unless that was at the end. */
export const placeOf = (conversationId: string): Place | undefined => places.get(conversationId);

/** Remembers where the reader leaves; null is the end. */
export function notePlace(conversationId: string, place: Place | null): void {
  if (place) places.set(conversationId, place);
  else places.delete(conversationId);
}

/** The topmost message in sight. */
export function readPlace(box: HTMLElement): Place | null {
  const { top } = box.getBoundingClientRect();
  for (const bubble of box.querySelectorAll<HTMLElement>('[data-seq]')) {
    const { clientId, seq } = bubble.dataset;
    const rect = bubble.getBoundingClientRect();
    if (rect.bottom > top && clientId) return { clientId, seq: Number(seq), top: rect.top - top };
  }
  return null;
}

const FRAMES = 20;

/** Works for some frames, in which what was brought into sight is measured, unless the reader moves it. */
export function whileDrawn(box: HTMLElement, work: () => void): AbortController {
  const done = new AbortController();
  for (const event of ['wheel', 'pointerdown', 'keydown'])
    box.addEventListener(event, () => done.abort(), { passive: true, signal: done.signal });
  let left = FRAMES;
  const step = () => {
    left -= 1;
    if (left < 0 || !box.isConnected) done.abort();
    if (done.signal.aborted) return;
    work();
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
  return done;
}

/** What lies above is measured while it is drawn: the message is put back to where it was left. */
export function settle(box: HTMLElement, { clientId, top }: Place): AbortController {
  return whileDrawn(box, () => {
    const bubble = box.querySelector(`[data-client-id="${CSS.escape(clientId)}"]`);
    const off = bubble ? bubble.getBoundingClientRect().top - box.getBoundingClientRect().top - top : 0;
    if (Math.abs(off) >= 1) box.scrollTop += off;
  });
}
