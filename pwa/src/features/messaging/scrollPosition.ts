/** The scroll position of each conversation, stored in memory and restored when it is opened again. */
import { type InSession, part } from '@/base/pageSession.ts';

/** The topmost message in view and its distance from the top, in px. */
export type ScrollPosition = { clientId: string; seq: number; top: number };
const positionsOf = part(() => new Map<string, ScrollPosition>());

/** Returns the stored position, or undefined for the end. */
export const positionOf = (session: InSession, conversationId: string): ScrollPosition | undefined =>
  positionsOf(session).get(conversationId);

/** Stores the position; null is the end. */
export function storePosition(
  session: InSession,
  conversationId: string,
  position: ScrollPosition | null,
): void {
  const positions = positionsOf(session);
  if (position) positions.set(conversationId, position);
  else positions.delete(conversationId);
}

/** Returns the position of the topmost message in view. */
export function readPosition(box: HTMLElement): ScrollPosition | null {
  const { top } = box.getBoundingClientRect();
  for (const bubble of box.querySelectorAll<HTMLElement>('[data-seq]')) {
    const { clientId, seq } = bubble.dataset;
    const rect = bubble.getBoundingClientRect();
    if (rect.bottom > top && clientId) return { clientId, seq: Number(seq), top: rect.top - top };
  }
  return null;
}

const FRAMES = 20;

/** Calls `work` in the next frames, while new rows are measured, until the reader scrolls. */
export function repeatForFrames(box: HTMLElement, work: () => void): AbortController {
  const done = new AbortController();
  for (const event of ['wheel', 'pointerdown', 'keydown'])
    box.addEventListener(event, () => done.abort(), { passive: true, signal: done.signal });
  let framesLeft = FRAMES;
  const step = () => {
    framesLeft -= 1;
    if (framesLeft < 0 || !box.isConnected) done.abort();
    if (done.signal.aborted) return;
    work();
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
  return done;
}

/** Scrolls a message back to its stored position while the rows above it are measured. */
export function restorePosition(box: HTMLElement, { clientId, top }: ScrollPosition): AbortController {
  return repeatForFrames(box, () => {
    const bubble = box.querySelector(`[data-client-id="${CSS.escape(clientId)}"]`);
    const distance = bubble ? bubble.getBoundingClientRect().top - box.getBoundingClientRect().top - top : 0;
    if (Math.abs(distance) >= 1) box.scrollTop += distance;
  });
}
