/** The filter of messages, as its two sides meet it: a question before sending, and one at the receiver. */
import { api, unwrap } from '@/api/client.ts';
import type { components } from '@/api/schema.gen.ts';
import { applyChange } from '@/live/apply.ts';
import { getDb } from '@/offline/db.ts';
import type { MessageRow } from '@/offline/rows.ts';

export type Nudge = components['schemas']['Nudge'];

/** How long a message waits for the answer; then it goes as it is. */
const PATIENCE_MS = 400;

/** What the server would ask the writer, if anything. Without a network, or late, there is nothing to ask. */
export async function nudgeFor(recipientId: string, content: string): Promise<Nudge | null> {
  if (!navigator.onLine) return null;
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    return (await unwrap(api.POST('/api/messages/check', { body: { recipientId, content }, signal }))).nudge;
  } catch {
    return null; // the message is never held up for it
  }
}

/** Tells the server, and so the other devices, what the receiver thinks of a message. */
export async function answerFlag(row: MessageRow, answer: 'fine' | 'bothers'): Promise<void> {
  const path = { id: row.conversationId, seq: row.seq ?? 0 };
  const message = await unwrap(
    api.PUT('/api/conversations/{id}/messages/{seq}/flag', { params: { path }, body: { answer } }),
  );
  await applyChange(getDb(), message);
}
