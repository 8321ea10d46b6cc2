/** What leaving this device would lose: nothing of it is anywhere else yet. */
import { getDb, HeartwardDb } from '../store/db.ts';
import type { OutboxRow } from '../store/rows.ts';

export type Unsent = {
  /** Voices and videos, sent and still waiting, or neither sent nor discarded. */
  recordings: number;
  /** Words and pictures. */
  messages: number;
  likes: number;
  /** Texts that were begun. */
  drafts: number;
  /** Passes, reactions, messages taken back, settings. */
  changes: number;
};

/** Waiting and refused alike. Receipts and seen matches do not count. */
export async function findUnsent(db = getDb()): Promise<Unsent> {
  const found: Unsent = { recordings: 0, messages: 0, likes: 0, drafts: 0, changes: 0 };
  await db.outbox.each((row) => {
    const kind = kindOf(row);
    if (kind) found[kind] += 1;
  });
  const recordingIds = new Set<string>();
  await db.chunks.each(({ recordingId }) => recordingIds.add(recordingId));
  found.recordings += recordingIds.size;
  found.drafts = await db.drafts.filter(({ content }) => content.trim() !== '').count();
  return found;
}

/** The same of a member whose data is locked on this device: nothing but these numbers leaves the database. */
export async function findLockedUnsent(memberId: string): Promise<Unsent> {
  const db = new HeartwardDb(memberId);
  try {
    return await findUnsent(db);
  } finally {
    db.close();
  }
}

function kindOf({ body }: OutboxRow): keyof Unsent | null {
  switch (body.kind) {
    case 'message':
      return body.messageType === 'audio' || body.messageType === 'video' ? 'recordings' : 'messages';
    case 'like':
      return 'likes';
    case 'receipt':
    case 'seen':
      return null;
    default:
      return 'changes';
  }
}
