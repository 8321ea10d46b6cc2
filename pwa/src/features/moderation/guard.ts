/** The filter of messages, as its two sides meet it: a question before sending, and one at the receiver. */
import { api, unwrap } from '@/api/client.ts';
import type { components } from '@/api/schema.gen.ts';
import { applyChange } from '@/live/apply.ts';
import { getDb } from '@/offline/store/db.ts';
import type { MessageRow } from '@/offline/store/rows.ts';
import { withTimeout } from '@/offline/store/withTimeout.ts';

export type Nudge = components['schemas']['Nudge'];

/** Words to a member, who may not be written with yet. */
export type Words = { userId: string; text: string };

/** How long a message waits for the answer; then it goes as it is. */
const PATIENCE_MS = 400;

/** A pause in writing: long enough that not every letter asks, shorter than the way to the button. */
const PAUSE_MS = 350;

type Verdict = { about: Words; answer: Promise<Nudge | null>; leave: () => void };

/**
 * Has words judged while they are written, so that sending them waits for nothing. The answer about the newest
 * words is kept, here only; the server keeps nothing of what it is asked.
 */
export class Judge {
  private verdict: Verdict | null = null;
  private pause: ReturnType<typeof setTimeout> | undefined;

  /** The words as they stand; they are judged once the writer pauses. */
  onInput(words: Words): void {
    clearTimeout(this.pause);
    if (!words.text || this.answerTo(words)) return;
    this.pause = setTimeout(() => navigator.onLine && this.ask(words), PAUSE_MS);
  }

  /** What the server would ask the writer, if anything. Without a network, or late, there is nothing to ask. */
  async nudgeFor(words: Words): Promise<Nudge | null> {
    clearTimeout(this.pause);
    const { onLine } = navigator;
    const answer = this.answerTo(words) ?? (onLine ? this.ask(words) : null);
    return (answer && (await withTimeout(answer, onLine ? PATIENCE_MS : 0))) ?? null;
  }

  /** Nobody writes any more. */
  stop(): void {
    clearTimeout(this.pause);
    this.verdict?.leave();
    this.verdict = null;
  }

  private answerTo({ userId, text }: Words): Promise<Nudge | null> | null {
    const { about, answer } = this.verdict ?? {};
    return answer && about?.userId === userId && about.text === text ? answer : null;
  }

  private ask(about: Words): Promise<Nudge | null> {
    this.stop();
    const left = new AbortController();
    const body = { recipientId: about.userId, content: about.text };
    const verdict: Verdict = {
      about,
      leave: () => left.abort(),
      answer: unwrap(api.POST('/api/messages/check', { body, signal: left.signal }))
        .then(({ nudge }) => nudge)
        .catch(() => {
          // The message is never held up for it; when these words are sent, they may be asked about again.
          if (this.verdict === verdict) this.verdict = null;
          return null;
        }),
    };
    this.verdict = verdict;
    return verdict.answer;
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
