/** Fetches messages that are older than the stored ones. */
import type { Message } from '../../api/types.ts';
import type { HeartwardDb } from '../store/db.ts';
import { fetchMessages } from './fetchMessages.ts';
import { fetchDelta, freshThread, storePage } from './sync.ts';

/** Fetches the page before the oldest stored message. Returns false if there is none. */
export async function fetchOlder(db: HeartwardDb, conversationId: string): Promise<boolean> {
  const thread = await freshThread(db, conversationId);
  if (!thread || thread.firstSeq <= 1) return false;
  const page = await fetchMessages(conversationId, { before: thread.firstSeq });
  // In descending order, so that each message is adjacent to the stored range.
  await storePage(db, page.reverse());
  return page.length > 0;
}

/** Fetches older messages until the one with this seq is stored. Returns false if it does not exist. */
export async function fetchBackTo(db: HeartwardDb, conversationId: string, seq: number): Promise<boolean> {
  for (;;) {
    const thread = await freshThread(db, conversationId);
    if (!thread || seq < 1) return false;
    if (thread.firstSeq <= seq) return seq <= thread.lastSeq;
    if (!(await fetchOlder(db, conversationId))) return false;
  }
}

/** The maximum number of pages of unread messages fetched when a conversation opens; more are fetched on request. */
const UNREAD_PAGES = 8;

/** Fetches the unread messages, back to the first one or for UNREAD_PAGES pages. */
export async function fetchUnread(db: HeartwardDb, conversationId: string, first: number): Promise<void> {
  const stored = await freshThread(db, conversationId);
  const row = await db.conversations.get(conversationId);
  // All stored messages are older than the first unread one.
  if (!stored || stored.lastSeq < first) await fetchDelta(db, conversationId, row?.lastSeq);
  for (let page = 0; page < UNREAD_PAGES; page += 1) {
    const thread = await db.threads.get(conversationId);
    if (!thread || thread.firstSeq <= first) return;
    if (!(await fetchOlder(db, conversationId))) return;
  }
}

/** Fetches one message without storing it, such as a quoted one; null if it does not exist. */
export async function fetchMessage(conversationId: string, seq: number): Promise<Message | null> {
  const page = await fetchMessages(conversationId, { before: seq + 1 }, 1);
  return page.find((message) => message.seq === seq) ?? null;
}
