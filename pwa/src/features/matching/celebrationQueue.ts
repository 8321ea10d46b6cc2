/**
 * The queue of celebrations: they are shown in the order of their events, one at a time, each once on this device. A
 * celebration is a modal dialog and moves the focus, so it waits while the tab is hidden and while the member types,
 * records or has another dialog open.
 */

import { part } from '@/base/pageSession.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { type Announcement, type Celebration, claimCelebration, whenVisible } from './celebration.ts';

/** Without input for this long the member counts as not typing. */
const TYPING_PAUSE_MS = 4000;
/** How often a waiting celebration checks whether it may be shown. */
const POLL_MS = 250;

/** An event to celebrate. */
type CelebrationEvent = {
  /** The id of the match, like or spark. */
  id: string;
  announcement?: Announcement;
  /** Whether the server knows if it was shown, so that this device claims nothing. */
  isRepeatable?: true;
  /** Loads the celebration when the tab is visible; undefined when there is nothing to celebrate any more. */
  load: () => Promise<Celebration | undefined>;
};

const celebrationsOf = part(() => ({
  queue: [] as (CelebrationEvent & { loading?: Promise<Celebration | undefined> })[],
  notifyQueued: (): void => undefined,
  lastTypedAt: Number.NEGATIVE_INFINITY,
}));

/** Queues an event, unless one with its id is queued. */
export function queueEvent(db: HeartwardDb, event: CelebrationEvent): void {
  const celebrations = celebrationsOf(db);
  const { queue } = celebrations;
  if (queue.some((queued) => queued.id === event.id)) return;
  queue.push(event);
  celebrations.notifyQueued();
}

/** Queues a celebration that needs no loading, unless one with its id is queued. */
export function queueCelebration(
  db: HeartwardDb,
  celebration: Celebration,
  announcement?: Announcement,
): void {
  queueEvent(db, { id: celebration.id, announcement, load: async () => celebration });
}

/**
 * Resolves with the next celebration when it may be shown, or with undefined after an abort. It is not claimed earlier,
 * so that another tab can show it while the member types in this one.
 */
export async function nextCelebration(
  db: HeartwardDb,
  signal: AbortSignal,
): Promise<Celebration | undefined> {
  const { queue } = celebrationsOf(db);
  while (!signal.aborted) {
    const next = queue[0];
    if (!next) await untilQueued(db, signal);
    else if (document.visibilityState !== 'visible') await whenVisible();
    else if (!mayInterrupt(db)) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    else {
      next.loading ??= next.load().catch(warn);
      const celebration = await next.loading;
      // The member may have begun to type, or have left, while it was loaded.
      if (signal.aborted || !mayInterrupt(db) || document.visibilityState !== 'visible') continue;
      const claimed =
        celebration &&
        (next.isRepeatable || (await claimCelebration(db, next.id, next.announcement).catch(warn)));
      if (queue[0] === next) queue.shift();
      if (claimed) return celebration;
    }
  }
}

function untilQueued(db: HeartwardDb, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    celebrationsOf(db).notifyQueued = resolve;
    signal.addEventListener('abort', () => resolve());
  });
}

function warn(error: unknown): undefined {
  console.warn('A celebration could not be loaded or claimed', error);
}

/** Whether a dialog may move the focus now. */
function mayInterrupt(db: HeartwardDb): boolean {
  const { dataset } = document.documentElement;
  if ('modal' in dataset || 'recording' in dataset) return false;
  return (
    !isTextField(document.activeElement) ||
    performance.now() - celebrationsOf(db).lastTypedAt >= TYPING_PAUSE_MS
  );
}

/** Whether keystrokes change the text of this element. */
export const isTextField = (element: Element | null): element is HTMLElement =>
  element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement;

/** Records when the member last typed in any field. Returns a function that stops it. */
export function trackTyping(db: HeartwardDb): () => void {
  const recordInput = () => {
    celebrationsOf(db).lastTypedAt = performance.now();
  };
  document.addEventListener('input', recordInput);
  document.addEventListener('compositionstart', recordInput);
  return () => {
    document.removeEventListener('input', recordInput);
    document.removeEventListener('compositionstart', recordInput);
  };
}
