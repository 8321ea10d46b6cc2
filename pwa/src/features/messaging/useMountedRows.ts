import { type RefObject, useEffect, useMemo, useState } from 'react';
import type { ThreadItem } from './thread.ts';

/**
 * Returns the indices of rows that stay mounted out of view: those that play media, and those with an open dialog.
 */
export function useMountedRows(box: RefObject<HTMLElement | null>, items: ThreadItem[]): number[] {
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());

  useEffect(() => {
    const { current } = box;
    if (!current) return;
    const update = () => setBusy((before) => keepIfEqual(before, findBusyRows(current)));
    const listening = new AbortController();
    // Media events do not bubble.
    for (const event of ['play', 'pause', 'ended', 'emptied'])
      current.addEventListener(event, update, { capture: true, signal: listening.signal });
    // Every open sheet and dialog sets an attribute on the root element.
    const modals = new MutationObserver(update);
    modals.observe(document.documentElement, { attributeFilter: ['data-modal'] });
    return () => {
      listening.abort();
      modals.disconnect();
    };
  }, [box]);

  return useMemo(
    () =>
      busy.size === 0
        ? []
        : items.flatMap((item, index) =>
            item.type === 'message' && busy.has(item.row.clientId) ? [index] : [],
          ),
    [items, busy],
  );
}

/** Returns the client ids of messages that play media or have an open dialog. */
function findBusyRows(box: HTMLElement): Set<string> {
  const busy = new Set<string>();
  for (const element of box.querySelectorAll<HTMLElement>('audio, video, dialog[open]')) {
    const { clientId } = element.closest<HTMLElement>('[data-client-id]')?.dataset ?? {};
    if (clientId && !(element instanceof HTMLMediaElement && element.paused)) busy.add(clientId);
  }
  return busy;
}

const keepIfEqual = (before: ReadonlySet<string>, now: ReadonlySet<string>): ReadonlySet<string> =>
  before.size === now.size && [...now].every((id) => before.has(id)) ? before : now;
