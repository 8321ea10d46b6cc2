import type { HeartwardDb } from '../store/db.ts';
import type { OutboxBody } from '../store/rows.ts';

/** The effect of a write in the outbox on a list: it removes a member, or puts one back. */
type Effect = { removes: string } | { returns: string } | null;

type Pending = { removed: Set<string>; returned: Set<string> };

/**
 * Applies the member's decisions to pages of a list that were requested before the server had stored them: such a page
 * still contains the members who were decided on, and lacks those whose decision was undone.
 */
export class RemovalGuard {
  /** The times (ms) at which members were removed in this tab, and put back. */
  private readonly removedAt = new Map<string, number>();
  private readonly returnedAt = new Map<string, number>();

  constructor(private readonly effectOf: (body: OutboxBody) => Effect) {}

  markRemoved(memberId: string): void {
    this.returnedAt.delete(memberId);
    this.removedAt.set(memberId, Date.now());
  }

  markReturned(memberId: string): void {
    this.removedAt.delete(memberId);
    this.returnedAt.set(memberId, Date.now());
  }

  /** Reverts `markRemoved` after a decision could not be stored or was rejected. */
  unmark(memberId: string): void {
    this.removedAt.delete(memberId);
  }

  /** Returns the effects of the writes in the outbox. */
  async pending(db: HeartwardDb): Promise<Pending> {
    const removed = new Set<string>();
    const returned = new Set<string>();
    for (const { body, state } of await db.outbox.orderBy('localSeq').toArray()) {
      const effect = state === 'failed' ? null : this.effectOf(body);
      if (effect && 'removes' in effect) removed.add(effect.removes);
      if (effect && 'returns' in effect) {
        removed.delete(effect.returns);
        returned.add(effect.returns);
      }
    }
    return { removed, returned };
  }

  /** Returns the effects at or after `since`; `before` are those that were pending then. */
  async since(db: HeartwardDb, since: number, before: Pending) {
    const now = await this.pending(db);
    const isReturned = (id: string) =>
      before.returned.has(id) || now.returned.has(id) || (this.returnedAt.get(id) ?? 0) >= since;
    const isRemoved = (id: string) =>
      now.removed.has(id) ||
      (before.removed.has(id) && !isReturned(id)) ||
      (this.removedAt.get(id) ?? 0) >= since;
    return { isRemoved, isReturned };
  }
}
