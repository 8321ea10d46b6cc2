import type { HeartwardDb } from '@/offline/store/db.ts';

/** As the text field takes it. */
const MAX_LENGTH = 4000;

/** Puts words below those that were begun in a conversation; the member sends them, or does not. */
export async function addToDraft(db: HeartwardDb, conversationId: string, words: string): Promise<void> {
  if (!words) return;
  await db.transaction('rw', db.drafts, async () => {
    const begun = await db.drafts.get(conversationId);
    const content = [begun?.content.trimEnd(), words].filter(Boolean).join('\n').slice(0, MAX_LENGTH);
    await db.drafts.put({ ...begun, conversationId, content, updatedAt: Date.now() });
  });
}
