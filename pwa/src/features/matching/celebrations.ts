/**
 * One queue for everything that is celebrated. A celebration is a modal dialog: it takes the focus, so it waits while
 * the member types, records or has another dialog open, and two are never shown at once.
 */

import type { HeartwardDb } from '@/offline/store/db.ts';
import { onWipe } from '@/offline/store/teardown.ts';
import { type Announced, claim, type Moment, whenVisible } from './moments.ts';

/** Without a keystroke for this long the member is not typing any more. */
const TYPING_PAUSE_MS = 4000;
/** How often a waiting celebration looks whether it may be shown. */
const POLL_MS = 250;

type Queued = { moment: Moment; announced?: Announced };

const queue: Queued[] = [];
let wake: () => void = () => undefined;
let lastTypedAt = Number.NEGATIVE_INFINITY;

onWipe(() => {
  queue.length = 0;
});

/** Queues a moment. The same moment is queued once, however many sources announce it. */
export function celebrate(moment: Moment, announced?: Announced): void {
  if (queue.some((queued) => queued.moment.id === moment.id)) return;
  queue.push({ moment, announced });
  wake();
}

/**
 * Resolves with the next moment when it may be shown; undefined after an abort. The moment is claimed only then, so
 * that a tab in which the member types for long leaves it to another tab.
 */
export async function nextMoment(db: HeartwardDb, signal: AbortSignal): Promise<Moment | undefined> {
  while (!signal.aborted) {
    const next = queue[0];
    if (!next) await queued(signal);
    else if (!mayInterrupt()) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    else if (document.visibilityState !== 'visible') await whenVisible();
    else {
      const claimed = await claim(db, next.moment.id, next.announced).catch(warn);
      if (queue[0] === next) queue.shift();
      if (claimed) return next.moment;
    }
  }
}

function queued(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    wake = resolve;
    signal.addEventListener('abort', () => resolve());
  });
}

function warn(error: unknown): void {
  console.warn('A celebration could not be claimed', error);
}

/** Whether a dialog may take the focus now. */
function mayInterrupt(): boolean {
  const { dataset } = document.documentElement;
  if ('modal' in dataset || 'recording' in dataset) return false;
  return !isTextField(document.activeElement) || performance.now() - lastTypedAt >= TYPING_PAUSE_MS;
}

/** Whether keystrokes change the text of this element. */
export const isTextField = (element: Element | null): element is HTMLElement =>
  element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement;

/** Follows when the member last typed, in whatever field. Returns a function that stops it. */
export function followTyping(): () => void {
  const typed = () => {
    lastTypedAt = performance.now();
  };
  document.addEventListener('input', typed);
  document.addEventListener('compositionstart', typed);
  return () => {
    document.removeEventListener('input', typed);
    document.removeEventListener('compositionstart', typed);
  };
}
