/**
 * The queue of celebrations. A celebration is a modal dialog and moves the focus, so it waits while the member types,
 * records or has another dialog open. Two are never shown at once.
 */

import type { HeartwardDb } from '@/offline/store/db.ts';
import { onWipe } from '@/offline/store/teardown.ts';
import { type Announcement, type Celebration, claimCelebration, whenVisible } from './celebration.ts';

/** Without input for this long the member counts as not typing. */
const TYPING_PAUSE_MS = 4000;
/** How often a waiting celebration checks whether it may be shown. */
const POLL_MS = 250;

type Queued = { celebration: Celebration; announcement?: Announcement };

const queue: Queued[] = [];
let notifyQueued: () => void = () => undefined;
let lastTypedAt = Number.NEGATIVE_INFINITY;

onWipe(() => {
  queue.length = 0;
});

/** Queues a celebration, unless one with its id is queued. */
export function queueCelebration(celebration: Celebration, announcement?: Announcement): void {
  if (queue.some((queued) => queued.celebration.id === celebration.id)) return;
  queue.push({ celebration, announcement });
  notifyQueued();
}

/**
 * Resolves with the next celebration when it may be shown, or with undefined after an abort. It is not claimed earlier,
 * so that another tab can show it while the member types in this one.
 */
export async function nextCelebration(
  db: HeartwardDb,
  signal: AbortSignal,
): Promise<Celebration | undefined> {
  while (!signal.aborted) {
    const next = queue[0];
    if (!next) await untilQueued(signal);
    else if (!mayInterrupt()) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    else if (document.visibilityState !== 'visible') await whenVisible();
    else {
      const claimed = await claimCelebration(db, next.celebration.id, next.announcement).catch(warn);
      if (queue[0] === next) queue.shift();
      if (claimed) return next.celebration;
    }
  }
}

function untilQueued(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    notifyQueued = resolve;
    signal.addEventListener('abort', () => resolve());
  });
}

function warn(error: unknown): void {
  console.warn('A celebration could not be claimed', error);
}

/** Whether a dialog may move the focus now. */
function mayInterrupt(): boolean {
  const { dataset } = document.documentElement;
  if ('modal' in dataset || 'recording' in dataset) return false;
  return !isTextField(document.activeElement) || performance.now() - lastTypedAt >= TYPING_PAUSE_MS;
}

/** Whether keystrokes change the text of this element. */
export const isTextField = (element: Element | null): element is HTMLElement =>
  element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement;

/** Records when the member last typed in any field. Returns a function that stops it. */
export function trackTyping(): () => void {
  const recordInput = () => {
    lastTypedAt = performance.now();
  };
  document.addEventListener('input', recordInput);
  document.addEventListener('compositionstart', recordInput);
  return () => {
    document.removeEventListener('input', recordInput);
    document.removeEventListener('compositionstart', recordInput);
  };
}
