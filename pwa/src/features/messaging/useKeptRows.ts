import { type RefObject, useEffect, useMemo, useState } from 'react';
import type { ThreadItem } from './thread.ts';

/**
 * The rows that stay while they are far out of sight, by their place among the items: what plays in one of them
 * goes on, and a sheet that was opened from one stands until it is closed.
 */
export function useKeptRows(box: RefObject<HTMLElement | null>, items: ThreadItem[]): number[] {
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());

  useEffect(() => {
    const { current } = box;
    if (!current) return;
    const look = () => setKept((before) => unlessSame(before, busyRows(current)));
    const listening = new AbortController();
    // What a player says does not bubble.
    for (const event of ['play', 'pause', 'ended', 'emptied'])
      current.addEventListener(event, look, { capture: true, signal: listening.signal });
    // Every sheet and dialog says on the root that it stands.
    const modals = new MutationObserver(look);
    modals.observe(document.documentElement, { attributeFilter: ['data-modal'] });
    return () => {
      listening.abort();
      modals.disconnect();
    };
  }, [box]);

  return useMemo(
    () =>
      kept.size === 0
        ? []
        : items.flatMap((item, index) =>
            item.type === 'message' && kept.has(item.row.clientId) ? [index] : [],
          ),
    [items, kept],
  );
}

/** The messages that play something or have something open. */
function busyRows(box: HTMLElement): Set<string> {
  const busy = new Set<string>();
  for (const part of box.querySelectorAll<HTMLElement>('audio, video, dialog[open]')) {
    const { clientId } = part.closest<HTMLElement>('[data-client-id]')?.dataset ?? {};
    if (clientId && !(part instanceof HTMLMediaElement && part.paused)) busy.add(clientId);
  }
  return busy;
}

const unlessSame = (before: ReadonlySet<string>, now: ReadonlySet<string>): ReadonlySet<string> =>
  before.size === now.size && [...now].every((id) => before.has(id)) ? before : now;
