import { draftChanged } from '@/base/events.ts';
import { keepsNothing, storageKeys } from '@/base/storage.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { withQuotaRetry } from '@/offline/store/quota.ts';

/**
 * Stores an unsent text and the message it replies to; an empty text is removed. On a full device it evicts other data,
 * and rejects if the text still does not fit. `id` is the conversation's, or for a new request the other member's.
 */
export async function storeDraft(
  db: HeartwardDb,
  id: string,
  content: string,
  replyTo?: number,
): Promise<void> {
  await withQuotaRetry(db, async () => {
    if (content || replyTo)
      await db.drafts.put({ conversationId: id, content, replyTo, updatedAt: Date.now() });
    else await db.drafts.delete(id);
  });
}

type StashedDraft = { conversationId: string; content: string; replyTo?: number };

/**
 * Stores the newest text in localStorage while the page unloads, when a database write would be aborted. On a device
 * that keeps nothing it does nothing.
 */
export function stashDraft(draft: StashedDraft): void {
  if (!keepsNothing()) localStorage.setItem(storageKeys.draft, JSON.stringify(draft));
}

/** Returns and removes the stashed draft of a conversation. */
export function popStashedDraft(conversationId: string): StashedDraft | null {
  const stashed = JSON.parse(localStorage.getItem(storageKeys.draft) ?? 'null') as StashedDraft | null;
  if (stashed?.conversationId !== conversationId) return null;
  localStorage.removeItem(storageKeys.draft);
  return stashed;
}

export const DRAFT_NOT_STORED =
  'This device could not store your draft. Free some space, or send it before you leave.';

export const MESSAGE_NOT_STORED =
  'This device could not store your message. Free some space and send it again.';

/**
 * Appends a text, such as one shared from another app, to the draft of a conversation. It may become longer than a
 * message: the composer then says by how much.
 */
export async function addToDraft(db: HeartwardDb, conversationId: string, text: string): Promise<void> {
  if (!text) return;
  await db.transaction('rw', db.drafts, async () => {
    const draft = await db.drafts.get(conversationId);
    const content = [draft?.content.trimEnd(), text].filter(Boolean).join('\n');
    await db.drafts.put({ ...draft, conversationId, content, updatedAt: Date.now() });
  });
}

/** Puts a text into the empty field of a conversation, as if the member had written it. */
export async function suggestDraft(db: HeartwardDb, conversationId: string, text: string): Promise<void> {
  await db.transaction('rw', db.drafts, async () => {
    if ((await db.drafts.get(conversationId))?.content.trim()) return;
    await db.drafts.put({ conversationId, content: text, updatedAt: Date.now() });
  });
  draftChanged.emit();
}
