/**
 * What the page has not stored yet. A browser may abort the transactions of a page that is left; the page then saves what
 * the member has written in localStorage, and the next page stores it.
 */
import { part, type Session } from '@/base/pageSession.ts';
import { deviceMember, keepsNothing, storageKeys } from '@/base/storage.ts';
import type { OutboxItem } from './outbox.ts';

/** An item, and how long it is held before it is sent. */
type Unstored = { item: OutboxItem; holdMs: number | undefined };

/** `holdMs` is missing in what an older version has recorded. */
type Interrupted = { memberId: string; items: [clientId: string, OutboxItem, holdMs?: number | null][] };

/**
 * The page, which listens from its start: a listener that is added while the page is left is not called. `isLeft` is set
 * until the end of that task, because requests fail then, and what waited for them goes on between the listeners.
 */
const page = { isLeft: false, unstored: new Set<UnstoredItems>() };

window.addEventListener('pagehide', () => {
  page.isLeft = true;
  setTimeout(() => {
    page.isLeft = false;
  });
  for (const items of page.unstored) items.save();
});
window.addEventListener('pageshow', ({ persisted }) => {
  // A page that is shown again repeats its writes itself.
  if (persisted) removeInterrupted();
});

class UnstoredItems {
  /** The items by the id of their row. */
  private readonly items = new Map<string, Unstored>();
  private readonly memberId: string;

  constructor(session: Session) {
    this.memberId = session.memberId;
    page.unstored.add(this);
    session.onStop(() => page.unstored.delete(this));
  }

  /** Has the next page store the items. */
  save(): void {
    const { memberId } = this;
    // Signing out wipes the device before the page is left.
    if (this.items.size === 0 || keepsNothing() || deviceMember() !== memberId) return;
    const items = [...this.items].map(([id, { item, holdMs }]): Interrupted['items'][number] => [
      id,
      item,
      holdMs,
    ]);
    const interrupted: Interrupted = { memberId, items };
    localStorage.setItem(storageKeys.storing, JSON.stringify(interrupted));
  }

  /** Records an item, in place of an earlier one of the same row. */
  record(clientId: string, item: OutboxItem, holdMs?: number): void {
    this.items.set(clientId, { item, holdMs });
    if (page.isLeft && page.unstored.has(this)) this.save();
  }

  /** Runs `write`, and has what the member has written recorded meanwhile. */
  async whileRecorded(
    clientId: string,
    item: OutboxItem,
    holdMs: number | undefined,
    write: () => Promise<void>,
  ): Promise<void> {
    const isText = item.kind === 'document' || item.kind === 'profileTexts';
    if (isText || (item.kind === 'message' && !item.files)) this.record(clientId, item, holdMs);
    try {
      await write();
    } finally {
      // A newer text may have been recorded meanwhile.
      if (this.items.get(clientId)?.item === item) this.items.delete(clientId);
    }
  }
}

export const unstoredOf = part((session) => new UnstoredItems(session));

/** Returns what the previous page had not stored; null if there is nothing of this member. */
export function readInterrupted(memberId: string): Interrupted['items'] | null {
  const interrupted = JSON.parse(localStorage.getItem(storageKeys.storing) ?? 'null') as Interrupted | null;
  return interrupted?.memberId === memberId ? interrupted.items : null;
}

export function removeInterrupted(): void {
  localStorage.removeItem(storageKeys.storing);
}
