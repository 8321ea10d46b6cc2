import { part } from '@/base/pageSession.ts';
import type { HeartwardDb } from '../store/db.ts';
import type { OutboxBody } from '../store/rows.ts';

/** The effect of a write in the outbox on a list: it removes a member, or adds one. */
type Effect = { removes: string } | { adds: string } | null;

type Pending = { removed: Set<string>; added: Set<string> };

/**
 * Applies the member's decisions to pages of a list that were requested before the server had stored them: such a page
 * still contains the members who were decided on, and lacks those whose decision was undone.
 */
export class RemovalGuard {
  /** The times (ms) at which members were removed and added in this tab. */
  private readonly timesOf = part(() => ({
    removedAt: new Map<string, number>(),
    addedAt: new Map<string, number>(),
  }));

  constructor(private readonly effectOf: (body: OutboxBody) => Effect) {}

  /**
   * To be called in the transaction that stores the decision: a page requested before the call is older than the mark,
   * and one requested after it waits for the transaction before it reads the outbox.
   */
  markRemoved(db: HeartwardDb, memberId: string): void {
    const { addedAt, removedAt } = this.timesOf(db);
    addedAt.delete(memberId);
    removedAt.set(memberId, Date.now());
  }

  /** To be called in the transaction that stores the decision, or after it. */
  markAdded(db: HeartwardDb, memberId: string): void {
    const { addedAt, removedAt } = this.timesOf(db);
    removedAt.delete(memberId);
    addedAt.set(memberId, Date.now());
  }

  /** Reverts `markRemoved` after a decision could not be stored. */
  unmark(db: HeartwardDb, memberId: string): void {
    this.timesOf(db).removedAt.delete(memberId);
  }

  /** Returns the effects of the writes in the outbox. */
  async pending(db: HeartwardDb): Promise<Pending> {
    const removed = new Set<string>();
    const added = new Set<string>();
    for (const { body, state } of await db.outbox.orderBy('localSeq').toArray()) {
      const effect = state === 'failed' ? null : this.effectOf(body);
      if (effect && 'removes' in effect) removed.add(effect.removes);
      if (effect && 'adds' in effect) {
        removed.delete(effect.adds);
        added.add(effect.adds);
      }
    }
    return { removed, added };
  }

  /** Returns the effects at or after `since`; `before` are those that were pending then. */
  async since(db: HeartwardDb, since: number, before: Pending) {
    const { addedAt, removedAt } = this.timesOf(db);
    const now = await this.pending(db);
    const isAdded = (id: string) =>
      before.added.has(id) || now.added.has(id) || (addedAt.get(id) ?? 0) >= since;
    const isRemoved = (id: string) =>
      now.removed.has(id) || (before.removed.has(id) && !isAdded(id)) || (removedAt.get(id) ?? 0) >= since;
    return { isRemoved, isAdded };
  }
}
