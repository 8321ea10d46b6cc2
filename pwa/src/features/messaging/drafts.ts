import { getDb } from '@/offline/store/db.ts';
import { withQuotaRetry } from '@/offline/store/quota.ts';
import { storageKeys } from '@/session/storage.ts';

/**
 * Stores an unsent text and what it replies to; an empty one is removed. Makes room on a full device, and rejects when
 * the device cannot store it even then. `id` is the conversation's, or for a new request the other member's.
 */
export async function storeDraft(id: string, content: string, replyTo?: number): Promise<void> {
  const db = getDb();
  await withQuotaRetry(db, async () => {
    if (content || replyTo)
      await db.drafts.put({ conversationId: id, content, replyTo, updatedAt: Date.now() });
    else await db.drafts.delete(id);
  });
}

type NotedDraft = { conversationId: string; content: string; replyTo?: number };

/** Notes the newest text of a page that is left: a write to the database would be cut off. */
export const noteDraft = (draft: NotedDraft): void =>
  localStorage.setItem(storageKeys.draft, JSON.stringify(draft));

/** The text that was noted for this conversation, once. */
export function popNotedDraft(conversationId: string): NotedDraft | null {
  const noted = JSON.parse(localStorage.getItem(storageKeys.draft) ?? 'null') as NotedDraft | null;
  if (noted?.conversationId !== conversationId) return null;
  localStorage.removeItem(storageKeys.draft);
  return noted;
}

export const DRAFT_NOT_STORED =
  'This device could not store your draft. Free some space, or send it before you leave.';
