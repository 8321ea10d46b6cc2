import type { HeartwardDb } from './db.ts';
import { deleteFiles } from './fileRows.ts';
import type { MemberData } from './purge.ts';

/** The conversations with the member: their messages, drafts, files and recordings. */
export const conversationsData: MemberData = {
  find: async (db, { conversationIds }) => [
    (await db.conversations.bulkGet([...conversationIds])).map((row) => row?.user),
    await Promise.all(conversationIds.map((id) => messagesOf(db, id).toArray())),
  ],
  remove: async (db, { userId, conversationIds }) => {
    // The draft of a request has the member's id as its key.
    await db.drafts.bulkDelete([userId, ...conversationIds]);
    for (const id of conversationIds) {
      await messagesOf(db, id).delete();
      await deleteFiles(db, db.files.where('conversationId').equals(id));
      await db.chunks.where('conversationId').equals(id).delete();
      await db.threads.delete(id);
      await db.conversations.delete(id);
    }
  },
};

const messagesOf = (db: HeartwardDb, conversationId: string) =>
  db.messages
    .where('[conversationId+order]')
    .between([conversationId, 0], [conversationId, Number.MAX_VALUE]);
