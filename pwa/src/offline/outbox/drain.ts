/**
 * Sends the outbox over HTTP. Page and service worker run this code, never at the same time: the caller holds the
 * member's lock.
 *
 * Messages too are sent over HTTP and not over the socket, so that errors are handled in one place. The rows of a lane
 * are sent in order, one at a time; lanes are sent in parallel. A row is deleted only after the server's response.
 */
import { ApiError, LONGEST_WAIT_MS, request } from '../../api/request.ts';
import type { NotificationSettings } from '../../api/types.ts';
import type { LocalAttachment, OutboxRow, ProfileFile } from '../store/rows.ts';
import type { Transact } from '../store/tx.ts';
import {
  filesOf,
  fileTables,
  resetUploads,
  waitsForFiles,
  withFileId,
  withoutFileIds,
} from './attachments.ts';
import { afterSending } from './newRow.ts';
import { endsAttempts } from './profileFileBody.ts';
import { type OutboxRequest, requestOf } from './requestOf.ts';
import { acknowledges, isChange, type ResponseBody, responseTables, storeResponse } from './responses.ts';
import { startTimer } from './timer.ts';

/** The final result of a row: the server's response, or the status and reason of a rejection. */
export type Settled =
  | { row: OutboxRow; ok: true; response: ResponseBody; gap: boolean }
  | { row: OutboxRow; ok: false; status: number; reason: string };

export type DrainEnv = {
  memberId: string;
  transact: Transact;
  fetch: typeof fetch;
  /**
   * Uploads one file and resolves with its id on the server. Calls `onAccepted` whenever the server has received more of
   * its bytes, and with false if it has lost them. Undefined in the worker: messages with files then wait.
   */
  upload?: (file: LocalAttachment, onAccepted: (isKept?: boolean) => void) => Promise<string>;
  /** Uploads a file of the profile and returns it with the ids of its uploads; otherwise as `upload`. */
  uploadProfileFile?: (row: OutboxRow, onAccepted: (isKept?: boolean) => void) => Promise<ProfileFile>;
  now: () => number;
  random: () => number;
  /**
   * Resolves when a row is added, so that its lane is sent at once even if others are slow; with true if rows that wait
   * for the end of their backoff are to be sent too.
   */
  rowAdded: () => Promise<boolean>;
  /** Whether to start no further request, as after signing out. */
  isStopped: () => boolean;
  /** Called with the response to a row, which is completed when the result has resolved. */
  onResponse?: (row: OutboxRow) => Promise<unknown>;
  onSettled: (result: Settled) => void;
};

/** `nextAt` is the time at which the earliest waiting row is due; null if none waits. */
export type DrainResult = { nextAt: number | null; unauthorized: boolean };

type Outcome =
  | { kind: 'done'; response: ResponseBody }
  /** `hasProgressed` is set if the server has received bytes of its files, however the attempt ended. */
  | { kind: 'retry'; afterMs: number | null; hasProgressed?: boolean }
  /** The server no longer has the files that an earlier run has uploaded. */
  | { kind: 'filesExpired' }
  | { kind: 'unauthorized' }
  /** The upload was ended from here: by signing out, because another tab sends now, or because the row was left out. */
  | { kind: 'aborted' }
  | { kind: 'rejected'; status: number; reason: string };

/**
 * Returns the lane of a row. Rows of different lanes do not wait for each other: a like beyond the daily limit waits
 * until tomorrow, and must not delay other rows. A like and a pass on the same member may arrive in any order, because
 * on the server the like takes precedence.
 */
function laneOf(row: OutboxRow): string {
  if (row.kind === 'message' || row.kind === 'receipt') return `${row.kind}:${row.conversationId}`;
  if (row.kind === 'reaction' || row.kind === 'delete') return `change:${row.conversationId}`;
  if (row.body.kind === 'like') return row.body.likeType;
  if (row.body.kind === 'profileFile') return `profileFile:${row.body.path}`;
  if (row.body.kind === 'comment') return `comment:${row.body.postId}`;
  if (!isDecision(row)) return row.kind;
  // A pass and its undoing share a lane, so that they are sent in order.
  return 'pass';
}

const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 60_000;

/** Returns the delay before the next attempt: it doubles from 1 s to 60 s, with a jitter of up to half of it. */
export function backoff(attempts: number, random: () => number): number {
  const full = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempts - 1, 10));
  return full / 2 + (full / 2) * random();
}

const isDecision = ({ kind }: OutboxRow) => kind === 'pass' || kind === 'unpass';

/**
 * Sends all rows that are due. `eager` also sends rows that wait for the end of their backoff; it is set when sending
 * may succeed now, as after a change of the network or a tap.
 */
export async function drain(env: DrainEnv, eager: boolean): Promise<DrainResult> {
  const run = new DrainRun(env);
  const rows = await run.prepare(eager);
  // A row that is added meanwhile starts another drain.
  if (rows === 0) return { nextAt: null, unauthorized: false };
  await run.run();
  return { nextAt: await run.earliestDue(), unauthorized: run.unauthorized };
}

class DrainRun {
  unauthorized = false;
  private readonly active = new Map<string, Promise<void>>();

  constructor(private readonly env: DrainEnv) {}

  /**
   * Resets rows in state `sending`, which are from a crash, because only this run has the lock. Makes waiting rows due if
   * the device's clock was set back, or if `eager` is set and their delay is not the server's. Returns the number of rows.
   */
  prepare(eager: boolean): Promise<number> {
    return this.env.transact(['outbox'], async (tx) => {
      const rows = await tx.all('outbox');
      for (const row of rows) {
        const clockSetBack = row.nextAt > this.env.now() + (row.waitMs ?? LONGEST_WAIT_MS);
        if (row.state === 'sending') await tx.put('outbox', { ...row, state: 'queued' });
        else if (row.state === 'queued' && (clockSetBack || (eager && !row.retryAfterLocked)))
          await tx.put('outbox', { ...row, nextAt: 0 });
      }
      return rows.length;
    });
  }

  async run(): Promise<void> {
    for (;;) {
      const rowAdded = this.env.rowAdded();
      const readAt = this.env.now();
      const rows = await this.firstRows();
      for (const [lane, row] of rows) {
        if (this.active.has(lane) || !this.isDue(row)) continue;
        this.active.set(
          lane,
          this.runLane(lane).finally(() => this.active.delete(lane)),
        );
      }
      if (this.active.size === 0) return;
      // From before the rows were read: one that became due since is sent at once.
      const due = startTimer(this.earliestOf(rows), readAt);
      const eager = await Promise.race([...this.active.values(), rowAdded, due.passed]);
      due.stop();
      if (eager) await this.endBackoffs();
    }
  }

  /** Makes rows due that wait for the end of their backoff, unless their delay is the server's. */
  private endBackoffs(): Promise<void> {
    return this.env.transact(['outbox'], async (tx) => {
      for (const row of await tx.all('outbox'))
        if (row.state === 'queued' && row.nextAt > 0 && !row.retryAfterLocked)
          await tx.put('outbox', { ...row, nextAt: 0 });
    });
  }

  /** Returns when the next lane that is not being sent is due; null if none waits. */
  async earliestDue(): Promise<number | null> {
    return this.earliestOf(await this.firstRows());
  }

  private earliestOf(firstRows: ReadonlyMap<string, OutboxRow>): number | null {
    const times = [...firstRows]
      .filter(([lane, row]) => !this.active.has(lane) && this.canSend(row))
      .map(([, row]) => row.nextAt);
    return times.length > 0 ? Math.min(...times) : null;
  }

  private async runLane(lane: string): Promise<void> {
    for (;;) {
      const row = (await this.firstRows()).get(lane);
      if (!row || !this.isDue(row)) return;
      const claimed = await this.claim(row.clientId);
      if (claimed && !(await this.storeOutcome(claimed, await this.send(claimed)))) return;
    }
  }

  /** Returns the first row of each lane. Rejected rows are skipped. */
  private async firstRows(): Promise<Map<string, OutboxRow>> {
    const rows = await this.env.transact(['outbox'], (tx) => tx.all('outbox'));
    const first = new Map<string, OutboxRow>();
    for (const row of rows.sort((a, b) => a.localSeq - b.localSeq)) {
      const lane = laneOf(row);
      if (row.state !== 'failed' && !first.has(lane)) first.set(lane, row);
    }
    return first;
  }

  private isDue(row: OutboxRow): boolean {
    if (this.unauthorized || this.env.isStopped()) return false;
    return row.state === 'queued' && row.nextAt <= this.env.now() && this.canSend(row);
  }

  private readonly canSend = (row: OutboxRow): boolean => {
    const { upload, uploadProfileFile } = this.env;
    return !waitsForFiles(row) || (row.kind === 'profileFile' ? uploadProfileFile : upload) !== undefined;
  };

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
    const hasUploadedFiles = filesOf(row).some(({ fileId }) => fileId);
    let hasProgressed = false;
    const onAccepted = (isKept = true) => {
      hasProgressed = isKept;
    };
    try {
      const { path, ...options } = requestOf(await this.uploadFiles(row, onAccepted));
      if (row.body.kind === 'settings')
        options.body = {
          ...(await this.request<NotificationSettings>({ method: 'GET', path })),
          ...row.body.patch,
        };
      const response = await this.request<ResponseBody>({ ...options, path });
      if (!acknowledges(response, row)) return { kind: 'retry', afterMs: null, hasProgressed };
      await this.env.onResponse?.(row);
      return { kind: 'done', response };
    } catch (error) {
      const outcome = outcomeOf(error, row);
      if (outcome.kind === 'retry') return { ...outcome, hasProgressed };
      const isExpired =
        outcome.kind === 'rejected' && this.hasLostFiles(row, hasUploadedFiles, outcome.status);
      return isExpired ? { kind: 'filesExpired' } : outcome;
    }
  }

  private async request<T>({ path, ...options }: OutboxRequest): Promise<T> {
    const { memberId, fetch } = this.env;
    return (await request<T>(path, { ...options, memberId, fetch })).data;
  }

  /**
   * Uploads the files of a row and returns it with their ids. Each id is stored at once, so that no file is sent twice.
   */
  private async uploadFiles(row: OutboxRow, onAccepted: (isKept?: boolean) => void): Promise<OutboxRow> {
    if (row.body.kind === 'profileFile')
      return { ...row, body: (await this.env.uploadProfileFile?.(row, onAccepted)) ?? row.body };
    let updated = row;
    for (const file of filesOf(row)) {
      if (file.fileId || !this.env.upload) continue;
      const fileId = await this.env.upload(file, onAccepted);
      updated = withFileId(updated, file.localId, fileId);
      await this.env.transact(['outbox'], async (tx) => {
        const current = await tx.get('outbox', row.clientId);
        if (current) await tx.put('outbox', withFileId(current, file.localId, fileId));
      });
    }
    return updated;
  }

  /** Stores the outcome. Returns false if the lane must wait. */
  private async storeOutcome(row: OutboxRow, outcome: Outcome): Promise<boolean> {
    switch (outcome.kind) {
      case 'done':
        this.env.onSettled({
          row,
          ok: true,
          response: outcome.response,
          gap: await this.complete(row, outcome.response),
        });
        return true;
      case 'rejected': {
        const rejected = await this.reject(row, outcome);
        this.env.onSettled({ row: rejected, ok: false, status: outcome.status, reason: outcome.reason });
        return true;
      }
      case 'filesExpired':
        await this.resetFiles(row);
        return false;
      case 'unauthorized':
        this.unauthorized = true;
        await this.requeue(row, { attempts: row.attempts - 1 });
        return false;
      case 'aborted':
        await this.requeue(row, { attempts: row.attempts - 1, nextAt: 0 });
        return false;
      case 'retry': {
        const attempts = outcome.hasProgressed ? 1 : row.attempts;
        const waitMs = Math.max(backoff(attempts, this.env.random), outcome.afterMs ?? 0);
        await this.requeue(row, {
          attempts,
          nextAt: this.env.now() + waitMs,
          waitMs,
          retryAfterLocked: outcome.afterMs !== null,
        });
        return false;
      }
    }
  }

  /** Merges the response and deletes the row in one transaction. Returns true if messages before it are missing. */
  private complete(row: OutboxRow, response: unknown): Promise<boolean> {
    return this.env.transact(['outbox', ...responseTables(row)], async (tx) => {
      const current = await tx.get('outbox', row.clientId);
      // The other member was purged during the request, and must not be stored again.
      if (!current) return false;
      // A newer body was merged into the row during the request: send it.
      if (current.revision !== row.revision) await tx.put('outbox', afterSending(current, row));
      else await tx.delete('outbox', row.clientId);
      return storeResponse(tx, { row, current, response, memberId: this.env.memberId, now: this.env.now() });
    });
  }

  /** Stores a rejection. Returns the row as it was sent, with the addresses of its uploads. */
  private reject(row: OutboxRow, { status, reason }: { status: number; reason: string }): Promise<OutboxRow> {
    return this.env.transact(['outbox', 'messages'], async (tx) => {
      const current = await tx.get('outbox', row.clientId);
      // The other member was purged during the request.
      if (!current) return row;
      // A newer body was merged into the row during the request: send it.
      if (current.revision !== row.revision) {
        await tx.put('outbox', { ...current, state: 'queued', nextAt: current.isHeld ? current.nextAt : 0 });
        return row;
      }
      // What a document belonged to is gone, such as a match. A rejected reaction, deletion, like of a post, end of a match
      // or answer of the first run is reverted and reported; the member did not ask for the others to be sent.
      if (UNREPORTED.includes(row.kind) || isChange(row) || (row.kind === 'document' && status === 404)) {
        await tx.delete('outbox', row.clientId);
        return row;
      }
      // The uploads of a file of the profile are deleted from the server (sender.ts).
      const kept = row.kind === 'profileFile' ? withoutFileIds(current) : current;
      await tx.put('outbox', { ...kept, state: 'failed', status, reason });
      const message = await tx.get('messages', [row.userId, row.clientId]);
      if (message?.state === 'waiting') await tx.put('messages', { ...message, state: 'failed', reason });
      return { ...row, body: current.body };
    });
  }

  private resetFiles(row: OutboxRow): Promise<void> {
    return this.env.transact(['outbox', ...fileTables(row)], async (tx) => {
      const current = await tx.get('outbox', row.clientId);
      if (!current) return;
      await resetUploads(tx, current);
      const waitMs = backoff(row.attempts, this.env.random);
      const reset = withoutFileIds(current);
      await tx.put('outbox', {
        ...reset,
        body: reset.body.kind === 'profileFile' ? { ...reset.body, isRepeated: true } : reset.body,
        state: 'queued',
        nextAt: this.env.now() + waitMs,
        waitMs,
      });
    });
  }

  /**
   * Whether a rejection means that the server no longer has the files: a message names its files, and the operation of a
   * file of the profile its upload, which is repeated once.
   */
  private hasLostFiles(row: OutboxRow, hasUploadedFiles: boolean, status: number): boolean {
    if (row.body.kind === 'profileFile') return status === 404 && !row.body.isRepeated;
    return hasUploadedFiles && status === 422;
  }

  private requeue(row: OutboxRow, change: Partial<OutboxRow>): Promise<void> {
    return this.env.transact(['outbox'], async (tx) => {
      const current = await tx.get('outbox', row.clientId);
      if (current) await tx.put('outbox', { ...current, ...change, state: 'queued' });
    });
  }
}

/** Kinds that the app sends by itself or for the convenience of other devices, and those that are reverted. */
const UNREPORTED: OutboxRow['kind'][] = [
  'receipt',
  'seen',
  'badge',
  'share',
  'showPictures',
  'notificationsRead',
  'postLike',
  'unmatch',
  'start',
];

function outcomeOf(error: unknown, row: OutboxRow): Outcome {
  if (error instanceof DOMException && error.name === 'AbortError') return { kind: 'aborted' };
  if (!(error instanceof ApiError)) return { kind: 'retry', afterMs: null };
  const { status, detail, retryAfterMs } = error;
  if (error.isTemporary && !endsAttempts(row, error)) return { kind: 'retry', afterMs: retryAfterMs };
  // A restricted account may be reinstated, so its rows stay.
  if (status === 401 || error.code === 'account_restricted') return { kind: 'unauthorized' };
  return { kind: 'rejected', status, reason: detail };
}
