import type { HeartwardDb } from '../store/db.ts';
import type { OutboxBody } from '../store/rows.ts';

/** What a write in the outbox does to a list: takes a member off it, or puts a member back. */
type Effect = { removes: string } | { returns: string } | null;

type Pending = { removed: Set<string>; returned: Set<string> };

/**
 * Keeps a list as the member left it: a page that the server began before it heard of an answer still contains members
 * who were answered, and lacks those whose answer was undone.
 */
export class RemovalGuard {
  /** When members were removed in this tab, and put back (ms). */
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

  /** The answer could not be stored or was refused. */
  unmark(memberId: string): void {
    this.removedAt.delete(memberId);
  }

  /** What the writes in the outbox do to the list. */
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

  /** What was done to the list at or after `since`; `before` is what was pending then. */
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
