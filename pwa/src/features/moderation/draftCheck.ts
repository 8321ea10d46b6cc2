/** The check of a draft before it is sent. */

import { api, unwrap } from '@/api/client.ts';
import type { components } from '@/api/schema.gen.ts';
import type { DraftText } from '@/domain/textFilter.ts';
import { withTimeout } from '@/offline/store/withTimeout.ts';

export type Nudge = components['schemas']['Nudge'];

/** How long sending waits for the result of a check; then the message is sent unchecked. */
const CHECK_WAIT_MS = 400;

/** The pause in typing after which a draft is checked: longer than between keys, shorter than until the tap on Send. */
const CHECK_DEBOUNCE_MS = 350;

type Check = { draft: DraftText; result: Promise<Nudge | null>; abort: () => void };

/**
 * Checks a draft while it is written, so that sending it need not wait. Only the newest result is cached, in memory;
 * the server does not store checks.
 */
export class DraftChecker {
  private check: Check | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Checks a draft after a pause in typing, unless its result is known. */
  onInput(draft: DraftText): void {
    clearTimeout(this.timer);
    if (!draft.text || this.resultFor(draft)) return;
    this.timer = setTimeout(() => navigator.onLine && this.startCheck(draft), CHECK_DEBOUNCE_MS);
  }

  /** Returns the nudge for a draft, or null if there is none, offline, or when the check takes too long. */
  async nudgeFor(draft: DraftText): Promise<Nudge | null> {
    clearTimeout(this.timer);
    const { onLine } = navigator;
    const result = this.resultFor(draft) ?? (onLine ? this.startCheck(draft) : null);
    return (result && (await withTimeout(result, onLine ? CHECK_WAIT_MS : 0))) ?? null;
  }

  /** Aborts the running check and drops its result. */
  stop(): void {
    clearTimeout(this.timer);
    this.check?.abort();
    this.check = null;
  }

  private resultFor({ userId, text }: DraftText): Promise<Nudge | null> | null {
    const { draft, result } = this.check ?? {};
    return result && draft?.userId === userId && draft.text === text ? result : null;
  }

  private startCheck(draft: DraftText): Promise<Nudge | null> {
    this.stop();
    const controller = new AbortController();
    const body = { recipientId: draft.userId, content: draft.text };
    const check: Check = {
      draft,
      abort: () => controller.abort(),
      result: unwrap(api.POST('/api/messages/check', { body, signal: controller.signal }))
        .then(({ nudge }) => nudge)
        .catch(() => {
          // A failed check does not delay the message; sending the same draft may check it again.
          if (this.check === check) this.check = null;
          return null;
        }),
    };
    this.check = check;
    return check.result;
  }
}
