import { useMemo, useRef, useState } from 'react';
import { DAY_MS } from '@/base/format.ts';
import { useMinute } from '@/base/now.ts';
import { endingOf } from '@/domain/unmatch.ts';
import { useCached, useDb, useLive } from '@/offline/store/cached.ts';
import type { DraftRow, HeartwardDb, MatchRow } from '@/offline/store/db.ts';
import type { ConversationRow, OutboxRow } from '@/offline/store/rows.ts';
import { syncForScreen } from '@/offline/sync/sync.ts';
import { describeMessage } from './describeMessage.ts';
import { cachedConversation } from './threadCache.ts';

/** The line under a name: a draft, or a waiting message, or the newest message, which may be a rejected one. */
type Preview = { kind: 'draft' | 'waiting' | 'rejected' | 'sent'; text: string; mine: boolean; at: string };

export type ListedConversation = ConversationRow & {
  preview: Preview | null;
  /**
   * Whether the member should answer: the newest message is the other one's, who still has an account, no answer waits to be
   * sent, and the member has not marked it as needing none. After a week it is false.
   */
  isYourTurn: boolean;
  /** The member has unmatched the other one, and can still undo it. */
  isEnding: boolean;
  pinned: boolean;
  muted: boolean;
  archived: boolean;
};

const TURN_MS = 7 * DAY_MS;

export function listConversations(
  conversations: ConversationRow[],
  outbox: OutboxRow[],
  drafts: DraftRow[],
  memberId: string,
  now = Date.now(),
  openings: ReadonlyMap<string, Preview> = new Map(),
): ListedConversation[] {
  const unsent = new Map<string, Preview>();
  const ending = endingOf(outbox);
  for (const row of outbox) if (row.conversationId) addUnsent(unsent, row, row.conversationId);
  const draftById = new Map(drafts.map((draft) => [draft.conversationId, draft]));
  const rows = conversations.map((row): ListedConversation => {
    const draft = draftById.get(row.id);
    const mine = unsent.get(row.id);
    const last = lastPreview(row, memberId) ?? openings.get(row.id) ?? null;
    // A newer message is shown rather than a rejected one.
    const isMineShown = mine && (mine.kind === 'waiting' || !last || mine.at > last.at);
    const preview = draft?.content.trim() ? draftPreview(draft) : isMineShown ? mine : last;
    const muted = row.mutedUntil !== null && Date.parse(row.mutedUntil) > now;
    const sortAt = preview && preview.at > row.sortAt ? preview.at : row.sortAt;
    const isEnding = ending.has(row.userId);
    const isYourTurn =
      !isEnding &&
      row.request === 'none' &&
      !row.isFormer &&
      last?.mine === false &&
      now - Date.parse(last.at) < TURN_MS &&
      (row.turnEndedSeq === null || row.lastSeq > row.turnEndedSeq) &&
      mine?.kind !== 'waiting';
    // A newer message takes it out, unless it is muted: then nothing does but the member.
    const archived =
      row.archivedSeq !== null && (muted || (row.lastSeq <= row.archivedSeq && mine?.kind !== 'waiting'));
    return { ...row, sortAt, preview, isYourTurn, isEnding, pinned: row.pinnedAt !== null, muted, archived };
  });
  return rows.sort(
    (a, b) =>
      Number(b.pinned) - Number(a.pinned) ||
      Number(b.isYourTurn) - Number(a.isYourTurn) ||
      (a.sortAt < b.sortAt ? 1 : a.sortAt > b.sortAt ? -1 : 0),
  );
}

function addUnsent(unsent: Map<string, Preview>, { body, createdAt, state }: OutboxRow, id: string): void {
  // A waiting message replaces a rejected one.
  if (body.kind !== 'message' || (state === 'failed' && unsent.get(id)?.kind === 'waiting')) return;
  const [file] = body.attachments ?? [];
  const text = describeMessage({
    messageType: body.messageType,
    content: body.content,
    durationMs: file?.durationMs ?? null,
    attachmentCount: body.attachments?.length ?? 0,
    deleted: false,
  });
  const kind = state === 'failed' ? 'rejected' : 'waiting';
  unsent.set(id, { kind, text, mine: true, at: new Date(createdAt).toISOString() });
}

const draftPreview = ({ content, updatedAt }: DraftRow): Preview => ({
  kind: 'draft',
  text: content,
  mine: true,
  at: new Date(updatedAt).toISOString(),
});

/** Returns the comments of the other members' likes that wait for an answer in new matches, by conversation. */
export function openingsOf(matches: MatchRow[]): Map<string, Preview> {
  const openings = new Map<string, Preview>();
  for (const { conversationId, matchedAt, theirLike } of matches)
    if (conversationId && theirLike?.comment)
      openings.set(conversationId, { kind: 'sent', text: theirLike.comment, mine: false, at: matchedAt });
  return openings;
}

function lastPreview({ lastMessage }: ConversationRow, memberId: string): Preview | null {
  if (!lastMessage) return null;
  const mine = lastMessage.senderId === memberId;
  return { kind: 'sent', text: describeMessage(lastMessage), mine, at: lastMessage.sentAt };
}

/** The list's data without the drafts, which are few and change while the member types. */
type Stored = { conversations: ConversationRow[]; outbox: OutboxRow[]; openings: Map<string, Preview> };

const readStored = async (db: HeartwardDb): Promise<Stored> => ({
  conversations: await db.conversations.toArray(),
  outbox: await db.outbox.orderBy('localSeq').toArray(),
  openings: openingsOf(await db.matches.toArray()),
});

const readDrafts = (db: HeartwardDb): Promise<DraftRow[]> => db.drafts.toArray();

/**
 * All conversations: the pinned ones first, then those that wait for the member's answer, each by newest message. An
 * unchanged row stays the same object. While `hidden`, the list is not updated and nothing is read.
 */
export function useConversations(hidden = false) {
  const db = useDb();
  const { data: stored, ...cached } = useCached<Stored>({
    key: ['conversations'],
    read: useReadUnlessHidden(hidden, readStored),
    refresh: (db) => syncForScreen(db),
    isEmpty: ({ conversations }) => conversations.length === 0,
    deps: [hidden],
  });
  const drafts = useLive(useReadUnlessHidden(hidden, readDrafts), [hidden]);
  const [shareRows] = useState(createRowSharing);
  const minute = useMinute(); // a muted conversation is not muted for ever
  const data = useMemo(
    () =>
      stored &&
      drafts &&
      shareRows(
        listConversations(stored.conversations, stored.outbox, drafts, db.memberId, minute, stored.openings),
      ),
    [stored, drafts, shareRows, db.memberId, minute],
  );
  return { ...cached, data, state: cached.state === 'ready' && !data ? 'loading' : cached.state };
}

/** Returns `read`, or while hidden a function that returns the last result; it reads no table, which pauses the query. */
function useReadUnlessHidden<T>(hidden: boolean, read: (db: HeartwardDb) => Promise<T>) {
  const last = useRef<T>(undefined);
  return async (db: HeartwardDb): Promise<T> => {
    if (hidden && last.current !== undefined) return last.current;
    last.current = await read(db);
    return last.current;
  };
}

/** Returns a function that replaces each row by the equal row of its last call. */
function createRowSharing(): (rows: ListedConversation[]) => ListedConversation[] {
  let before = new Map<string, { row: ListedConversation; json: string }>();
  return (rows) => {
    const now = new Map<string, { row: ListedConversation; json: string }>();
    for (const row of rows) {
      const json = JSON.stringify(row);
      const previous = before.get(row.id);
      now.set(row.id, previous?.json === json ? previous : { row, json });
    }
    before = now;
    return [...now.values()].map(({ row }) => row);
  };
}

/** Returns a conversation, at first the list's cached row; null if the device has none with this id. */
export function useConversation(id: string): ConversationRow | null | undefined {
  const db = useDb();
  const stored = useLive(async (db) => (await db.conversations.get(id)) ?? null, [id]);
  return stored === undefined ? cachedConversation(db, id) : stored;
}
