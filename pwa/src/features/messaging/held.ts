/**
 * What was on the screen a moment ago, kept in memory: a conversation opens with it at once, and what the device
 * says a few milliseconds later takes its place. The list says which conversations there are.
 */

import type { HeartwardDb } from '@/offline/store/db.ts';
import type { ConversationRow, MessageRow } from '@/offline/store/rows.ts';
import { onWipe } from '@/offline/store/teardown.ts';

/** How many conversations' newest messages are kept. */
const MOST = 8;

/** How many messages are read before the first is drawn: some screens of a phone. */
const FIRST = 60;
/** As many above a message that is gone to: nothing may come in above while it is brought into sight. */
export const ABOVE = 40;

/** From where on a conversation is shown: some screens, and back to the one that is wanted. */
export const firstShown = ({ lastSeq }: ConversationRow, wanted = Number.POSITIVE_INFINITY): number =>
  Math.max(0, Math.min(lastSeq - FIRST, wanted - ABOVE));

let conversations: ReadonlyMap<string, ConversationRow> = new Map();
const newest = new Map<string, { from: number; rows: MessageRow[] }>();

onWipe(() => {
  holdConversations([]);
  newest.clear();
});

/** The conversations of the list, and only those: whoever is gone from it opens no more. */
export function holdConversations(rows: ConversationRow[]): void {
  conversations = new Map(rows.map((row) => [row.id, row]));
  if (rows.length === 0) return; // the list is left
  for (const id of newest.keys()) if (!conversations.has(id)) newest.delete(id);
}

export const heldConversation = (id: string | undefined): ConversationRow | undefined =>
  conversations.get(id ?? '');

/** Keeps a conversation's messages from this number on, up to its newest. */
export function holdNewest(id: string, from: number, rows: MessageRow[]): void {
  // The one that was used last stands last, the first goes first.
  newest.delete(id);
  newest.set(id, { from, rows });
  const [oldest] = newest.keys();
  if (newest.size > MOST && oldest !== undefined) newest.delete(oldest);
}

/** The messages from this number on, unless some of them are not held, or a newer one or a change is known of. */
export function heldNewest(row: ConversationRow, from: number): MessageRow[] | undefined {
  const held = newest.get(row.id);
  if (!held || held.from > from) return undefined;
  const last = held.rows.findLast(({ seq }) => seq !== null)?.seq ?? 0;
  const rev = held.rows.reduce((latest, each) => Math.max(latest, each.rev), 0);
  return last === row.lastSeq && rev >= row.lastRev
    ? held.rows.filter(({ order }) => order >= from)
    : undefined;
}

/** A finger or pointer comes down on the conversation: by the time it is lifted the messages are there. */
export async function readAhead(db: HeartwardDb, row: ConversationRow, from: number): Promise<void> {
  if (heldNewest(row, from)) return;
  const at = db.messages.where('[conversationId+order]');
  holdNewest(row.id, from, await at.between([row.id, from], [row.id, Number.MAX_VALUE]).toArray());
}
