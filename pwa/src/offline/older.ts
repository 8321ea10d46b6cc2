/** Reading back: messages from before those that this device holds. */
import type { Message } from '../api/types.ts';
import type { HeartwardDb } from './db.ts';
import { messages, take } from './sync.ts';

/** Fetches the page before the oldest message held. False when there is none. */
export async function fetchOlder(db: HeartwardDb, conversationId: string): Promise<boolean> {
  const thread = await db.threads.get(conversationId);
  if (!thread || thread.firstSeq <= 1) return false;
  const page = await messages(conversationId, { before: thread.firstSeq });
  // Descending, so that each touches the run that is already held.
  await take(db, page.reverse());
  return page.length > 0;
}

/** Fetches older messages until the one with this number is held; false when the server has none so old. */
export async function fetchBackTo(db: HeartwardDb, conversationId: string, seq: number): Promise<boolean> {
  for (;;) {
    const thread = await db.threads.get(conversationId);
    if (!thread || seq < 1) return false;
    if (thread.firstSeq <= seq) return seq <= thread.lastSeq;
    if (!(await fetchOlder(db, conversationId))) return false;
  }
}

/** One message that need not be kept: what another one answers to. */
export async function fetchMessage(conversationId: string, seq: number): Promise<Message | null> {
  const page = await messages(conversationId, { before: seq + 1 }, 1);
  return page.find((message) => message.seq === seq) ?? null;
}
