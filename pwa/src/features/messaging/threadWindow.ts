/**
 * The rows of a conversation that are drawn: those from a given message up to the newest. They are read in parts with a
 * live query each, so that a new message causes a read of its part and not of ten thousand rows.
 *
 * Reactions and deletions in the outbox are applied to the rows after reading. Stored rows are unchanged until the
 * server confirms, so a rejection needs no undo.
 */
import { liveQuery } from 'dexie';
import { createStore } from '@/base/store.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { MessageRow, OutboxRow } from '@/offline/store/rows.ts';
import { cacheNewest } from './threadCache.ts';

/** The number of messages in a part, and how many more are shown on reaching the top. */
export const PART_SIZE = 100;
/** The size of the parts for a jump to a much older message. */
const MAX_PART_SIZE = 1000;
const END = Number.MAX_VALUE;

type Part = { from: number; to: number; rows: MessageRow[] | undefined; stop: () => void };

type Pending = { emoji?: string | null; deleted?: boolean };
export type ShownRows = {
  /** Undefined until the database was read. */
  rows: MessageRow[] | undefined;
  /** The lowest order value shown. */
  from: number;
};

export class ThreadWindow {
  private parts: Part[] = [];
  private pending = new Map<number, Pending>();
  readonly shown = createStore<ShownRows>({ rows: undefined, from: 0 });
  private stopPending: () => void = () => undefined;
  private generation = 0;

  constructor(
    private readonly db: HeartwardDb,
    private readonly conversationId: string,
    private readonly memberId: string,
    /** Cached rows, shown until the database was read. */
    rows?: MessageRow[],
  ) {
    this.shown.set({ rows, from: rows?.[0]?.order ?? 0 });
  }

  /** Starts to watch the messages from this number on. */
  start(from: number): void {
    const outbox = liveQuery(() =>
      this.db.outbox.filter((row) => row.conversationId === this.conversationId).toArray(),
    ).subscribe({ next: (rows) => void this.applyQueued(pendingOf(rows)), error: () => undefined });
    this.stopPending = () => outbox.unsubscribe();
    this.parts = [this.watch(Math.max(0, from), END)];
  }

  stop(): void {
    this.generation += 1;
    this.stopPending();
    const last = this.parts.at(-1);
    // As drawn, with the changes in the outbox.
    if (last?.rows) cacheNewest(this.db, this.conversationId, last.from, last.rows.map(this.withPending));
    for (const part of this.parts) part.stop();
    this.parts = [];
  }

  /** Extends the window to the messages from this number on, as far as they are on the device. */
  extendTo(from: number): void {
    for (let first = this.parts[0]; first && first.from > Math.max(1, from); first = this.parts[0]) {
      const size = Math.min(MAX_PART_SIZE, Math.max(PART_SIZE, first.from - from));
      this.parts = [this.watch(Math.max(0, first.from - size), first.from), ...this.parts];
    }
  }

  private watch(from: number, to: number): Part {
    const part: Part = { from, to, rows: undefined, stop: () => undefined };
    const query = liveQuery(() => this.range(from, to).toArray()).subscribe({
      next: (rows) => {
        part.rows = rows;
        this.splitNewest(part);
        this.publish();
      },
      // Signing out closes the database before this component is unmounted.
      error: () => undefined,
    });
    part.stop = () => query.unsubscribe();
    return part;
  }

  private range(from: number, to: number) {
    return this.db.messages
      .where('[conversationId+order]')
      .between([this.conversationId, from], [this.conversationId, to], true, to === END);
  }

  /** Splits the newest part when it has grown: its older half becomes a part that is no longer read. */
  private splitNewest(part: Part): void {
    const last = this.parts[this.parts.length - 1];
    const border = part.rows?.[PART_SIZE]?.order;
    if (part !== last || !part.rows || part.rows.length <= 2 * PART_SIZE || !border || border >= 1e12) return;
    const older = this.watch(part.from, border);
    const newer = this.watch(border, END);
    older.rows = part.rows.filter(({ order }) => order < border);
    newer.rows = part.rows.filter(({ order }) => order >= border);
    part.stop();
    this.parts = [...this.parts.slice(0, -1), older, newer];
  }

  /**
   * Replaces the queued changes. Rows whose change has left the outbox are read again first, so that nothing flickers.
   */
  private async applyQueued(next: Map<number, Pending>): Promise<void> {
    this.generation += 1;
    const { generation } = this;
    for (const seq of this.pending.keys()) {
      const part = this.parts.find(({ from, to }) => seq >= from && seq < to);
      if (next.has(seq) || !part?.rows) continue;
      const fresh = await this.range(seq, seq + 1)
        .toArray()
        .catch(() => []);
      // A newer state of the outbox is being applied, or the window was stopped.
      if (generation !== this.generation) return;
      const [row] = fresh;
      if (row) part.rows = part.rows.map((old) => (old.seq === seq ? row : old));
    }
    this.pending = next;
    this.publish();
  }

  private publish(): void {
    // Not before all parts are read: publishing them one by one would make the thread jump and render each time.
    if (this.parts.some((part) => !part.rows)) return;
    const rows = this.parts.flatMap((part) => part.rows ?? []);
    const from = this.parts[0]?.from ?? 0;
    this.shown.set({ rows: this.pending.size === 0 ? rows : rows.map(this.withPending), from });
  }

  private readonly withPending = (row: MessageRow): MessageRow => {
    const pending = row.seq === null ? undefined : this.pending.get(row.seq);
    return pending ? applyPending(row, pending, this.memberId) : row;
  };
}

function applyPending(row: MessageRow, pending: Pending, memberId: string): MessageRow {
  if (pending.deleted) {
    const deletedFields = { content: '', attachments: [], senderReaction: null, receiverReaction: null };
    return { ...row, ...deletedFields, deletedAt: row.deletedAt ?? row.sentAt };
  }
  if (pending.emoji === undefined || row.deletedAt) return row;
  const side = row.senderId === memberId ? 'senderReaction' : 'receiverReaction';
  return { ...row, [side]: pending.emoji };
}

/** Returns the queued changes of messages by their seq. */
function pendingOf(rows: OutboxRow[]): Map<number, Pending> {
  const pending = new Map<number, Pending>();
  for (const { body } of rows) {
    if (body.kind !== 'reaction' && body.kind !== 'delete') continue;
    const before = pending.get(body.seq);
    pending.set(
      body.seq,
      body.kind === 'delete' ? { ...before, deleted: true } : { ...before, emoji: body.emoji },
    );
  }
  return pending;
}
