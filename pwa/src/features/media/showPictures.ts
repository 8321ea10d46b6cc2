import { enqueue, outboxTables } from '@/offline/outbox/outbox.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';

/** Shows the pictures and videos of a conversation, on this device at once and on the others through the outbox. */
export async function showPictures(db: HeartwardDb, conversationId: string): Promise<void> {
  await db.transaction('rw', [...outboxTables(db), db.conversations], async () => {
    await db.conversations.update(conversationId, { picturesShown: true });
    await enqueue(db, { kind: 'showPictures', conversationId });
  });
}
