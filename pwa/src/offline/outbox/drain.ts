/**
 * Sends the outbox over HTTP. Page and service worker run this code, never at the same time: the caller holds the
 * member's lock.
 *
 * Messages go over HTTP and not over the open socket, so that their errors are handled in one place. Rows of a lane are
 * sent in order, one at a time; lanes are sent in parallel. A row leaves the outbox only when the server has answered.
 */
import { ApiError, LONGEST_WAIT_MS, type RequestOptions, request } from '../../api/request.ts';
import type { LikeResult, Message, NotificationSettings } from '../../api/types.ts';
import { MERGE_TABLES, mergeChange, mergeMessage } from '../store/merge.ts';
import type { LocalAttachment, OutboxBody, OutboxRow, Unpass } from '../store/rows.ts';
import type { Transact } from '../store/tx.ts';
import {
  filesOf,
  fileTables,
  resetUploads,
  storeSentFiles,
  waitsForFiles,
  withFileId,
  withoutFileIds,
} from './attachments.ts';

/** How one row ended; `answer` is the server's, `status` and `reason` those of a refusal. */
export type Settled =
  | { row: OutboxRow; ok: true; answer: Answer; gap: boolean }
  | { row: OutboxRow; ok: false; status: number; reason: string };

export type DrainEnv = {
  memberId: string;
  transact: Transact;
  fetch: typeof fetch;
  /** Uploads one file and resolves with its id at the server; without it, messages with files wait. */
  upload?: (file: LocalAttachment) => Promise<string>;
  now: () => number;
  random: () => number;
  /** Resolves when a row was added, so that its lane need not wait for slow ones. */
  woken: () => Promise<void>;
  /** True once the member signs out: nothing more is started. */
  stopped: () => boolean;
  settled: (result: Settled) => void;
};

/** nextAt: when the earliest waiting row is due; null when nothing waits. */
export type DrainResult = { nextAt: number | null; unauthorized: boolean };

/** What the server answers to a row: for a change of a message the message, for settings all of them. */
type Answer = Message | LikeResult | NotificationSettings | undefined;

type Outcome =
  | { kind: 'done'; answer: Answer }
  | { kind: 'again'; afterMs: number | null }
  /** The server no longer has the files, which were uploaded by an earlier run. */
  | { kind: 'anew' }
  | { kind: 'unauthorized' }
  | { kind: 'refused'; status: number; reason: string };

/**
 * A row that has to wait (a like beyond the daily limit, until tomorrow) must not delay the others. A like and a pass of
 * the same member may arrive in any order: at the server the like wins.
 */
function laneOf(row: OutboxRow): string {
  if (row.kind === 'message' || row.kind === 'receipt') return `${row.kind}:${row.conversationId}`;
  if (row.kind === 'reaction' || row.kind === 'delete') return `change:${row.conversationId}`;
  if (row.body.kind === 'like') return row.body.likeType;
  if (row.kind === 'settings' || row.kind === 'seen') return row.kind;
  // Taking a pass back stands behind the pass it takes back.
  return 'pass';
}

const BASE_MS = 1000;
const CAP_MS = 60_000;

/** Doubling from 1 s to 60 s, spread over the upper half so that clients do not return together. */
export function backoff(attempts: number, random: () => number): number {
  const full = Math.min(CAP_MS, BASE_MS * 2 ** Math.min(attempts - 1, 10));
  return full / 2 + (full / 2) * random();
}

type Sent = Pick<RequestOptions, 'method' | 'body'> & { path: string };

function requestOf(row: OutboxRow): Sent {
  const { kind: _, ...body } = row.body;
  const method = 'POST';
  switch (row.body.kind) {
    case 'message':
      return { method, path: '/api/messages', body: messageOf(row) };
    case 'reaction': {
      const path = `/api/conversations/${row.conversationId}/messages/${row.body.seq}/reaction`;
      const { emoji } = row.body;
      return emoji === null ? { method: 'DELETE', path } : { method: 'PUT', path, body: { emoji } };
    }
    case 'delete':
      return {
        method: 'DELETE',
        path: `/api/conversations/${row.conversationId}/messages/${row.body.seq}`,
      };
    case 'like':
      return { method, path: '/api/likes', body };
    case 'pass':
      return { method, path: '/api/passes', body: { ...body, clientId: row.clientId } };
    case 'unpass':
      return { method: 'DELETE', path: takeBackPath(row.body) };
    case 'settings':
      return { method: 'PUT', path: '/api/notifications/settings' };
    case 'seen':
      return { method, path: `/api/matches/${row.body.matchId}/seen` };
    case 'receipt':
      return { method, path: `/api/messages/${row.conversationId}/receipts`, body };
  }
}

function messageOf({ body, clientId }: OutboxRow): Record<string, unknown> {
  const { kind: _, attachments, ...message } = body as Extract<OutboxBody, { kind: 'message' }>;
  return { ...message, ...(attachments && { fileIds: attachments.map(({ fileId }) => fileId) }), clientId };
}

const takeBackPath = ({ targetUserId, passId }: Unpass) =>
  `/api/passes/${targetUserId}${passId ? `?clientId=${passId}` : ''}`;

/**
 * Sends everything that is due. `eager` also sends rows that only wait out a
 * backoff, because something (network, socket, the member) suggests it works now.
 */
export async function drain(env: DrainEnv, eager: boolean): Promise<DrainResult> {
  const run = new DrainRun(env);
  await run.prepare(eager);
  await run.run();
  return { nextAt: await run.earliest(), unauthorized: run.unauthorized };
}

class DrainRun {
  unauthorized = false;
  private readonly active = new Map<string, Promise<void>>();

  constructor(private readonly env: DrainEnv) {}

  /** Only the holder of the lock sends, so `sending` now means a crash in between. */
  prepare(eager: boolean): Promise<void> {
    return this.env.transact(['outbox'], async (tx) => {
      for (const row of await tx.all('outbox')) {
        const clockSetBack = row.nextAt > this.env.now() + (row.waitMs ?? LONGEST_WAIT_MS);
        if (row.state === 'sending') await tx.put('outbox', { ...row, state: 'queued' });
        else if (row.state === 'queued' && (clockSetBack || (eager && !row.retryAfterLocked)))
          await tx.put('outbox', { ...row, nextAt: 0 });
      }
    });
  }

  async run(): Promise<void> {
    for (;;) {
      const woken = this.env.woken();
      for (const [lane, row] of await this.heads()) {
        if (this.active.has(lane) || !this.due(row)) continue;
        this.active.set(
          lane,
          this.runLane(lane).finally(() => this.active.delete(lane)),
        );
      }
      if (this.active.size === 0) return;
      await Promise.race([...this.active.values(), woken]);
    }
  }

  async earliest(): Promise<number | null> {
    const times = [...(await this.heads()).values()].filter(this.sendable).map((row) => row.nextAt);
    return times.length > 0 ? Math.min(...times) : null;
  }

  private async runLane(lane: string): Promise<void> {
    for (;;) {
      const row = (await this.heads()).get(lane);
      if (!row || !this.due(row)) return;
      const claimed = await this.claim(row.clientId);
      if (claimed && !(await this.settle(claimed, await this.send(claimed)))) return;
    }
  }

  /** The first row of each lane that still wants to be sent; refused rows do not block. */
  private async heads(): Promise<Map<string, OutboxRow>> {
    const rows = await this.env.transact(['outbox'], (tx) => tx.all('outbox'));
    const heads = new Map<string, OutboxRow>();
    for (const row of rows.sort((a, b) => a.localSeq - b.localSeq)) {
      const lane = laneOf(row);
      if (row.state !== 'failed' && !heads.has(lane)) heads.set(lane, row);
    }
    return heads;
  }

  private due(row: OutboxRow): boolean {
    if (this.unauthorized || this.env.stopped()) return false;
    return row.state === 'queued' && row.nextAt <= this.env.now() && this.sendable(row);
  }

  private readonly sendable = (row: OutboxRow): boolean =>
    this.env.upload !== undefined || !waitsForFiles(row);

  private claim(clientId: string): Promise<OutboxRow | null> {
    return this.env.transact(['outbox'], async (tx) => {
      const row = await tx.get('outbox', clientId);
      if (row?.state !== 'queued') return null;
      const claimed: OutboxRow = { ...row, state: 'sending', attempts: row.attempts + 1 };
      await tx.put('outbox', claimed);
      return claimed;
    });
  }

  private async send(row: OutboxRow): Promise<Outcome> {
    const knownFiles = filesOf(row).some(({ fileId }) => fileId);
    try {
      const { path, ...options } = requestOf(await this.bringFiles(row));
      if (row.body.kind === 'settings')
        options.body = {
          ...(await this.request<NotificationSettings>({ method: 'GET', path })),
          ...row.body.patch,
        };
      const answer = await this.request<Answer>({ ...options, path });
      if (!acknowledges(answer, row)) return { kind: 'again', afterMs: null };
      return { kind: 'done', answer };
    } catch (error) {
      const outcome = outcomeOf(error);
      return knownFiles && outcome.kind === 'refused' && outcome.status === 422 ? { kind: 'anew' } : outcome;
    }
  }

  private async request<T>({ path, ...options }: Sent): Promise<T> {
    const { memberId, fetch } = this.env;
    return (await request<T>(path, { ...options, memberId, fetch })).data;
  }

  /** The row with all its files at the server; each that arrives is noted, so that it travels once. */
  private async bringFiles(row: OutboxRow): Promise<OutboxRow> {
    let ready = row;
    for (const file of filesOf(row)) {
      if (file.fileId || !this.env.upload) continue;
      const fileId = await this.env.upload(file);
      ready = withFileId(ready, file.localId, fileId);
      await this.env.transact(['outbox'], async (tx) => {
        const now = await tx.get('outbox', row.clientId);
        if (now) await tx.put('outbox', withFileId(now, file.localId, fileId));
      });
    }
    return ready;
  }

  /** Stores the outcome. False ends the lane for now. */
  private async settle(row: OutboxRow, outcome: Outcome): Promise<boolean> {
    switch (outcome.kind) {
      case 'done':
        this.env.settled({
          row,
          ok: true,
          answer: outcome.answer,
          gap: await this.finish(row, outcome.answer),
        });
        return true;
      case 'refused':
        await this.refuse(row, outcome);
        this.env.settled({ row, ok: false, status: outcome.status, reason: outcome.reason });
        return true;
      case 'anew':
        await this.forgetFiles(row);
        return false;
      case 'unauthorized':
        this.unauthorized = true;
        await this.putBack(row, { attempts: row.attempts - 1 });
        return false;
      case 'again': {
        const waitMs = Math.max(backoff(row.attempts, this.env.random), outcome.afterMs ?? 0);
        await this.putBack(row, {
          nextAt: this.env.now() + waitMs,
          waitMs,
          retryAfterLocked: outcome.afterMs !== null,
        });
        return false;
      }
    }
  }

  /** Merges the answer and deletes the row in one transaction; true when messages before it are missing. */
  private finish(row: OutboxRow, answer: unknown): Promise<boolean> {
    return this.env.transact([...MERGE_TABLES, 'outbox', 'meta', ...fileTables(row)], async (tx) => {
      const now = await tx.get('outbox', row.clientId);
      // Purged during the request, because the two have parted: nothing of the other member is stored again.
      if (!now) return false;
      // What was raised or changed meanwhile is sent again.
      if (now.revision !== row.revision)
        await tx.put('outbox', { ...now, state: 'queued', nextAt: 0, attempts: 0 });
      else await tx.delete('outbox', row.clientId);
      if (isChange(row)) return (await mergeChange(tx, this.env.memberId, answer as Message)) === 'gap';
      if (row.kind === 'settings')
        await tx.put('meta', { key: 'settings', value: answer as NotificationSettings });
      if (row.kind !== 'message') return false;
      await storeSentFiles(tx, now, this.env.now());
      return (await mergeMessage(tx, this.env.memberId, answer as Message)) === 'gap';
    });
  }

  private refuse(row: OutboxRow, { status, reason }: { status: number; reason: string }): Promise<void> {
    return this.env.transact(['outbox', 'messages'], async (tx) => {
      const now = await tx.get('outbox', row.clientId);
      // Purged during the request, because the two have parted.
      if (!now) return;
      // What it was raised to meanwhile has not been asked yet.
      if (now.revision !== row.revision) return tx.put('outbox', { ...now, state: 'queued', nextAt: 0 });
      // A reaction or a deletion is undone, and the member is told; a refused receipt or seen match has no effect.
      if (row.kind === 'receipt' || row.kind === 'seen' || isChange(row))
        return tx.delete('outbox', row.clientId);
      await tx.put('outbox', { ...now, state: 'failed', status, reason });
      const message = await tx.get('messages', [row.userId, row.clientId]);
      if (message?.state === 'waiting') await tx.put('messages', { ...message, state: 'failed', reason });
    });
  }

  private forgetFiles(row: OutboxRow): Promise<void> {
    return this.env.transact(['outbox', ...fileTables(row)], async (tx) => {
      const now = await tx.get('outbox', row.clientId);
      if (!now) return;
      await resetUploads(tx, now);
      const waitMs = backoff(row.attempts, this.env.random);
      await tx.put('outbox', {
        ...withoutFileIds(now),
        state: 'queued',
        nextAt: this.env.now() + waitMs,
        waitMs,
      });
    });
  }

  private putBack(row: OutboxRow, change: Partial<OutboxRow>): Promise<void> {
    return this.env.transact(['outbox'], async (tx) => {
      const now = await tx.get('outbox', row.clientId);
      if (now) await tx.put('outbox', { ...now, ...change, state: 'queued' });
    });
  }
}

const isChange = ({ kind }: OutboxRow) => kind === 'reaction' || kind === 'delete';

/** Anything else with status 200 came from something in between, not from our server. */
function acknowledges(answer: Answer, row: OutboxRow): boolean {
  const { body } = row;
  if (isChange(row))
    return answer !== undefined && 'seq' in answer && 'seq' in body && answer.seq === body.seq;
  if (row.kind === 'settings') return answer !== undefined && 'quietFrom' in answer;
  if (row.kind !== 'message') return true;
  return answer !== undefined && 'clientId' in answer && answer.clientId === row.clientId && answer.seq > 0;
}

function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof ApiError)) return { kind: 'again', afterMs: null };
  const { status, detail, retryAfterMs } = error;
  if (error.isTemporary) return { kind: 'again', afterMs: retryAfterMs };
  if (status === 401) return { kind: 'unauthorized' };
  return { kind: 'refused', status, reason: detail };
}
