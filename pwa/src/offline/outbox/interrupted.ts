/**
 * What the page has not stored yet. A browser may abort the transactions of a page that is left; the page then saves what
 * the member has written in localStorage, and the next page stores it.
 */
import { deviceMember, keepsNothing, storageKeys } from '@/base/storage.ts';
import type { OutboxItem } from './outbox.ts';

/** An item, and how long it is held before it is sent. */
type Unstored = { item: OutboxItem; holdMs: number | undefined };

/** The items by the id of their row, all of one member. */
const unstored = new Map<string, Unstored>();
let owner: string | undefined;

/** Records an item, in place of an earlier one of the same row. */
export function record(memberId: string, clientId: string, item: OutboxItem, holdMs?: number): void {
  if (owner !== memberId) unstored.clear();
  owner = memberId;
  unstored.set(clientId, { item, holdMs });
}

/** Runs `write`, and has what the member has written recorded meanwhile. */
export async function whileRecorded(
  memberId: string,
  clientId: string,
  item: OutboxItem,
  holdMs: number | undefined,
  write: () => Promise<void>,
): Promise<void> {
  const isText = item.kind === 'document' || item.kind === 'profileTexts';
  if (isText || (item.kind === 'message' && !item.files)) record(memberId, clientId, item, holdMs);
  try {
    await write();
  } finally {
    // A newer text may have been recorded meanwhile.
    if (unstored.get(clientId)?.item === item) unstored.delete(clientId);
  }
}

/** `holdMs` is missing in what an older version has recorded. */
type Interrupted = { memberId: string; items: [clientId: string, OutboxItem, holdMs?: number | null][] };

addEventListener('pagehide', () => {
  // Signing out wipes the device before the page is left.
  const memberId = deviceMember();
  if (unstored.size === 0 || keepsNothing() || memberId === null || memberId !== owner) return;
  const items = [...unstored].map(([id, { item, holdMs }]): Interrupted['items'][number] => [
    id,
    item,
    holdMs,
  ]);
  const interrupted: Interrupted = { memberId, items };
  localStorage.setItem(storageKeys.storing, JSON.stringify(interrupted));
});

// A page that is shown again repeats its writes itself.
addEventListener('pageshow', ({ persisted }) => persisted && removeInterrupted());

/** Returns what the previous page had not stored; null if there is nothing of this member. */
export function readInterrupted(memberId: string): Interrupted['items'] | null {
  const interrupted = JSON.parse(localStorage.getItem(storageKeys.storing) ?? 'null') as Interrupted | null;
  return interrupted?.memberId === memberId ? interrupted.items : null;
}

export function removeInterrupted(): void {
  localStorage.removeItem(storageKeys.storing);
}
