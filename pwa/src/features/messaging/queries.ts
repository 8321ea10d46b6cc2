import { useCached, useLive } from '@/offline/cached.ts';
import type { HeartwardDb } from '@/offline/db.ts';
import type { ConversationRow, MessageRow } from '@/offline/rows.ts';
import { syncForScreen } from '@/offline/sync.ts';

/** A conversation as the list shows it; a message still waiting counts as its last. */
export type ListedConversation = ConversationRow & {
  preview: { content: string; mine: boolean; waiting: boolean; at: string } | null;
};

async function readList(db: HeartwardDb): Promise<ListedConversation[]> {
  const rows = await db.conversations.toArray();
  const waiting = new Map<string, { content: string; at: string }>();
  for (const row of await db.outbox.orderBy('localSeq').toArray()) {
    if (row.body.kind !== 'message' || !row.conversationId) continue;
    waiting.set(row.conversationId, { content: row.body.content, at: new Date(row.createdAt).toISOString() });
  }
  const listed = rows.map((row): ListedConversation => {
    const own = waiting.get(row.id);
    if (own) return { ...row, sortAt: own.at, preview: { ...own, mine: true, waiting: true } };
    const { lastMessage: last } = row;
    if (!last) return { ...row, preview: null };
    const mine = last.senderId === db.memberId;
    return { ...row, preview: { content: last.content, mine, waiting: false, at: last.sentAt } };
  });
  return listed.sort((a, b) => (a.sortAt < b.sortAt ? 1 : -1));
}

/** All conversations, newest message first. */
export const useConversations = () =>
  useCached({ key: ['conversations'], read: readList, refresh: (db) => syncForScreen(db) });

export const useConversation = (id: string) =>
  useLive(async (db) => (await db.conversations.get(id)) ?? null, [id]);

/** The newest `limit` messages, ascending, and whether more are on the device. */
export function useThread(conversationId: string, limit: number) {
  return useLive(
    async (db): Promise<{ rows: MessageRow[]; more: boolean; firstSeq: number }> => {
      const newest = await db.messages
        .where('[conversationId+order]')
        .between([conversationId, 0], [conversationId, Number.MAX_VALUE])
        .reverse()
        .limit(limit + 1)
        .toArray();
      const thread = await db.threads.get(conversationId);
      return {
        rows: newest.slice(0, limit).reverse(),
        more: newest.length > limit,
        firstSeq: thread?.firstSeq ?? 0,
      };
    },
    [conversationId, limit],
  );
}
