/**
 * The rows of a conversation that are drawn: from some message on up to the newest. They are read in parts, each
 * watched for itself, so that a new message reads its own part again and not ten thousand rows.
 *
 * What the member did to a message and the server has not heard of yet (a reaction, a deletion) waits in the
 * outbox and lies over the row as it is read: should the server refuse it, nothing has to be put back.
 */
import { liveQuery } from 'dexie';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { MessageRow, OutboxRow } from '@/offline/store/rows.ts';
import { holdNewest } from './held.ts';

/** How many messages a part holds, and how many more are shown on reaching the top. */
export const PART = 100;
/** A jump far back is read in fewer, larger ones. */
const LARGEST = 1000;
const END = Number.MAX_VALUE;

type Part = { from: number; to: number; rows: MessageRow[] | undefined; stop: () => void };

type Pending = { emoji?: string | null; deleted?: boolean };
export type Shown = {
  /** Undefined until the device has answered. */
  rows: MessageRow[] | undefined;
  /** The number from which on rows are shown. */
  from: number;
};

export class ThreadWindow {
  private parts: Part[] = [];
  private pending = new Map<number, Pending>();
  private shown: Shown = { rows: undefined, from: 0 };
  private readonly listeners = new Set<() => void>();
  private stopPending: () => void = () => undefined;
  private turn = 0;

  constructor(
    private readonly db: HeartwardDb,
    private readonly conversationId: string,
    private readonly memberId: string,
    /** What is shown until the device has answered. */
    rows?: MessageRow[],
  ) {
    this.shown = { rows, from: rows?.[0]?.order ?? 0 };
  }

  readonly getShown = (): Shown => this.shown;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Begins with the newest messages from this number on. */
  start(from: number): void {
    const outbox = liveQuery(() =>
      this.db.outbox.filter((row) => row.conversationId === this.conversationId).toArray(),
    ).subscribe({ next: (rows) => void this.overlay(pendingOf(rows)), error: () => undefined });
    this.stopPending = () => outbox.unsubscribe();
    this.parts = [this.watch(Math.max(0, from), END)];
  }

  stop(): void {
    this.turn += 1;
    this.stopPending();
    const last = this.parts.at(-1);
    // As it was drawn: with what the server has not heard of yet.
    if (last?.rows) holdNewest(this.conversationId, last.from, last.rows.map(this.withPending));
    for (const part of this.parts) part.stop();
    this.parts = [];
  }

  /** Shows everything from this number on as well, as far as the device holds it. */
  reach(from: number): void {
    for (let first = this.parts[0]; first && first.from > Math.max(1, from); first = this.parts[0]) {
      const size = Math.min(LARGEST, Math.max(PART, first.from - from));
      this.parts = [this.watch(Math.max(0, first.from - size), first.from), ...this.parts];
    }
  }

  private watch(from: number, to: number): Part {
    const part: Part = { from, to, rows: undefined, stop: () => undefined };
    const query = liveQuery(() => this.range(from, to).toArray()).subscribe({
      next: (rows) => {
        part.rows = rows;
        this.split(part);
        this.changed();
      },
      // Signing out closes the database under a screen that is about to go.
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

  /** The newest part grows with what is written: its older half becomes one of its own, which is read no more. */
  private split(part: Part): void {
    const last = this.parts[this.parts.length - 1];
    const border = part.rows?.[PART]?.order;
    if (part !== last || !part.rows || part.rows.length <= 2 * PART || !border || border >= 1e12) return;
    const older = this.watch(part.from, border);
    const newer = this.watch(border, END);
    older.rows = part.rows.filter(({ order }) => order < border);
    newer.rows = part.rows.filter(({ order }) => order >= border);
    part.stop();
    this.parts = [...this.parts.slice(0, -1), older, newer];
  }

  /** What waits no more is in the rows by now: both change together, so that nothing flickers. */
  private async overlay(next: Map<number, Pending>): Promise<void> {
    this.turn += 1;
    const { turn } = this;
    for (const seq of this.pending.keys()) {
      const part = this.parts.find(({ from, to }) => seq >= from && seq < to);
      if (next.has(seq) || !part?.rows) continue;
      const fresh = await this.range(seq, seq + 1)
        .toArray()
        .catch(() => []);
      // A newer state of the outbox is on its way, or nobody looks any more.
      if (turn !== this.turn) return;
      const [row] = fresh;
      if (row) part.rows = part.rows.map((old) => (old.seq === seq ? row : old));
    }
    this.pending = next;
    this.changed();
  }

  private changed(): void {
    // All that is asked for or nothing: parts that arrive one by one would jump, and cost a drawing each.
    if (this.parts.some((part) => !part.rows)) return;
    const rows = this.parts.flatMap((part) => part.rows ?? []);
    const from = this.parts[0]?.from ?? 0;
    this.shown = { rows: this.pending.size === 0 ? rows : rows.map(this.withPending), from };
    for (const listener of this.listeners) listener();
  }

  private readonly withPending = (row: MessageRow): MessageRow => {
    const pending = row.seq === null ? undefined : this.pending.get(row.seq);
    return pending ? applyPending(row, pending, this.memberId) : row;
  };
}

function applyPending(row: MessageRow, pending: Pending, memberId: string): MessageRow {
  if (pending.deleted) {
    const gone = { content: '', attachments: [], senderReaction: null, receiverReaction: null };
    return { ...row, ...gone, deletedAt: row.deletedAt ?? row.sentAt };
  }
  if (pending.emoji === undefined || row.deletedAt) return row;
  const side = row.senderId === memberId ? 'senderReaction' : 'receiverReaction';
  return { ...row, [side]: pending.emoji };
}

/** What waits in the outbox for messages that are there, by their number. */
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
