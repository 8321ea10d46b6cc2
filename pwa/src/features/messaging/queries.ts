import { useCached, useLive } from '@/offline/cached.ts';
import type { DraftRow, HeartwardDb } from '@/offline/db.ts';
import type { ConversationRow, OutboxRow } from '@/offline/rows.ts';
import { syncForScreen } from '@/offline/sync.ts';
import { heldConversation } from './held.ts';
import { inWords } from './words.ts';

/** The one line under a name: a draft, else a message that waits, else the newest. */
type Preview = { kind: 'draft' | 'waiting' | 'sent'; text: string; mine: boolean; at: string };

export type ListedConversation = ConversationRow & {
  preview: Preview | null;
  pinned: boolean;
  muted: boolean;
};

export function listed(
  conversations: ConversationRow[],
  outbox: OutboxRow[],
  drafts: DraftRow[],
  memberId: string,
  now = Date.now(),
): ListedConversation[] {
  const waiting = new Map<string, Preview>();
  for (const row of outbox) if (row.conversationId) noteWaiting(waiting, row, row.conversationId);
  const begun = new Map(drafts.map((draft) => [draft.conversationId, draft]));
  const rows = conversations.map((row): ListedConversation => {
    const draft = begun.get(row.id);
    const preview = draft?.content.trim() ? draftOf(draft) : (waiting.get(row.id) ?? lastOf(row, memberId));
    const muted = row.mutedUntil !== null && Date.parse(row.mutedUntil) > now;
    const sortAt = preview && preview.at > row.sortAt ? preview.at : row.sortAt;
    return { ...row, sortAt, preview, pinned: row.pinnedAt !== null, muted };
  });
  return rows.sort(
    (a, b) => Number(b.pinned) - Number(a.pinned) || (a.sortAt < b.sortAt ? 1 : a.sortAt > b.sortAt ? -1 : 0),
  );
}

function noteWaiting(waiting: Map<string, Preview>, { body, createdAt }: OutboxRow, id: string): void {
  if (body.kind !== 'message') return;
  const [file] = body.attachments ?? [];
  const text = inWords({
    messageType: body.messageType,
    content: body.content,
    durationMs: file?.durationMs ?? null,
    attachmentCount: body.attachments?.length ?? 0,
    deleted: false,
  });
  waiting.set(id, { kind: 'waiting', text, mine: true, at: new Date(createdAt).toISOString() });
}

const draftOf = ({ content, updatedAt }: DraftRow): Preview => ({
  kind: 'draft',
  text: content,
  mine: true,
  at: new Date(updatedAt).toISOString(),
});

function lastOf({ lastMessage }: ConversationRow, memberId: string): Preview | null {
  if (!lastMessage) return null;
  const mine = lastMessage.senderId === memberId;
  return { kind: 'sent', text: inWords(lastMessage), mine, at: lastMessage.sentAt };
}

const readList = async (db: HeartwardDb): Promise<ListedConversation[]> =>
  listed(
    await db.conversations.toArray(),
    await db.outbox.orderBy('localSeq').toArray(),
    await db.drafts.toArray(),
    db.memberId,
  );

/** All conversations: the pinned ones, then by the newest message. */
export const useConversations = () =>
  useCached({ key: ['conversations'], read: readList, refresh: (db) => syncForScreen(db) });

/** A conversation; at first as the list has it. Null when the device has none with this id. */
export function useConversation(id: string): ConversationRow | null | undefined {
  const stored = useLive(async (db) => (await db.conversations.get(id)) ?? null, [id]);
  return stored === undefined ? heldConversation(id) : stored;
}
