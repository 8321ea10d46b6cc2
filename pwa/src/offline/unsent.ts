/** What leaving this device would lose: nothing of it is anywhere else yet. */
import { getDb } from './db.ts';
import type { OutboxRow } from './rows.ts';

export type Unsent = {
  /** Voices and videos, sent and still waiting, or neither sent nor discarded. */
  recordings: number;
  /** Words and pictures. */
  messages: number;
  likes: number;
  /** Texts that were begun. */
  drafts: number;
  /** Passes, reactions, messages taken back. */
  changes: number;
};

/** Waiting and refused alike. Receipts do not count: nobody wrote them. */
export async function findUnsent(): Promise<Unsent> {
  const db = getDb();
  const found: Unsent = { recordings: 0, messages: 0, likes: 0, drafts: 0, changes: 0 };
  await db.outbox.each((row) => {
    const kind = kindOf(row);
    if (kind) found[kind] += 1;
  });
  const kept = new Set<string>();
  await db.chunks.each(({ recordingId }) => kept.add(recordingId));
  found.recordings += kept.size;
  found.drafts = await db.drafts.filter(({ content }) => content.trim() !== '').count();
  return found;
}

function kindOf({ body }: OutboxRow): keyof Unsent | null {
  switch (body.kind) {
    case 'message':
      return body.messageType === 'audio' || body.messageType === 'video' ? 'recordings' : 'messages';
    case 'like':
      return 'likes';
    case 'receipt':
      return null;
    default:
      return 'changes';
  }
}
