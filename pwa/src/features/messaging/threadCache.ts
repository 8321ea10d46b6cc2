/**
 * An in-memory cache of the list's conversations and of the newest messages of recent ones. A conversation opens with
 * the cached rows and replaces them by the database's a few milliseconds later.
 */

import { part } from '@/base/pageSession.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { ConversationRow, MessageRow } from '@/offline/store/rows.ts';

/** The maximum number of conversations with cached messages. */
const MAX_THREADS = 8;

/** The number of messages read before the first is drawn: a few screens of a phone. */
const INITIAL_ROWS = 60;
/** The number of messages read above a scroll target, so that none is inserted above it while scrolling. */
export const ROWS_ABOVE = 40;

/** Returns the first seq to show: a few screens of messages, or more to include `wanted`. */
export const initialFrom = ({ lastSeq }: ConversationRow, wanted = Number.POSITIVE_INFINITY): number =>
  Math.max(0, Math.min(lastSeq - INITIAL_ROWS, wanted - ROWS_ABOVE));

const cacheOf = part(() => ({
  conversations: new Map() as ReadonlyMap<string, ConversationRow>,
  newest: new Map<string, { from: number; rows: MessageRow[] }>(),
}));

/** Replaces the cached conversations by those of the list, and drops the messages of the others. */
export function cacheConversations(db: HeartwardDb, rows: ConversationRow[]): void {
  const cache = cacheOf(db);
  const conversations = new Map(rows.map((row) => [row.id, row]));
  cache.conversations = conversations;
  if (rows.length === 0) return; // the list was unmounted
  for (const id of cache.newest.keys()) if (!conversations.has(id)) cache.newest.delete(id);
}

export const cachedConversation = (db: HeartwardDb, id: string | undefined): ConversationRow | undefined =>
  cacheOf(db).conversations.get(id ?? '');

/** Caches a conversation's messages from this seq up to its newest. */
export function cacheNewest(db: HeartwardDb, id: string, from: number, rows: MessageRow[]): void {
  const { newest } = cacheOf(db);
  // In order of use; the least recently used is evicted first.
  newest.delete(id);
  newest.set(id, { from, rows });
  const [oldest] = newest.keys();
  if (newest.size > MAX_THREADS && oldest !== undefined) newest.delete(oldest);
}

/** Returns the messages from this seq on; undefined if some are not cached, or the conversation has newer changes. */
export function cachedNewest(db: HeartwardDb, row: ConversationRow, from: number): MessageRow[] | undefined {
  const cached = cacheOf(db).newest.get(row.id);
  if (!cached || cached.from > from) return undefined;
  const last = cached.rows.findLast(({ seq }) => seq !== null)?.seq ?? 0;
  const rev = cached.rows.reduce((latest, each) => Math.max(latest, each.rev), 0);
  return last === row.lastSeq && rev >= row.lastRev
    ? cached.rows.filter(({ order }) => order >= from)
    : undefined;
}

/** Reads a conversation's newest messages into the cache, on pointerdown, so that they are there on click. */
export async function prefetchNewest(db: HeartwardDb, row: ConversationRow, from: number): Promise<void> {
  if (cachedNewest(db, row, from)) return;
  const rows = db.messages.where('[conversationId+order]');
  cacheNewest(db, row.id, from, await rows.between([row.id, from], [row.id, Number.MAX_VALUE]).toArray());
}
