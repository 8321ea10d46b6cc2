/**
 * Likes, passes and undone passes, as every screen stores them: a row in the outbox and the lists that it changes, in one
 * transaction, so that a device that is switched off has both or neither.
 */
import type { LikeType } from '@/api/types.ts';
import { enqueue, outboxTables } from '@/offline/outbox/outbox.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, setMeta } from '@/offline/store/meta.ts';
import { withQuotaRetry } from '@/offline/store/quota.ts';
import { RemovalGuard } from '@/offline/sync/removalGuard.ts';
import { toastError } from '@/ui';
import { reduceAllowance } from './allowance.ts';

/** The photo or prompt that a like is about, and a comment. */
export type LikeNote = { comment?: string; photoId?: string; prompt?: string };

export type Decision =
  | { kind: 'pass' }
  | {
      kind: 'like';
      likeType: LikeType;
      note?: LikeNote;
      /** The card stays in the grid, marked as liked. */
      staysInGrid?: boolean;
    };

/** Keeps members who were liked or passed on out of the candidates and the likes; undoing a pass lets them in again. */
export const decidedGuard = new RemovalGuard((body) => {
  if (body.kind === 'like') return { removes: body.toUserId };
  if (body.kind === 'pass') return { removes: body.targetUserId };
  return body.kind === 'unpass' ? { adds: body.targetUserId } : null;
});

/** Keeps members whose pass was undone, or who were liked after all, out of the list of passes. */
export const passesGuard = new RemovalGuard((body) => {
  if (body.kind === 'unpass') return { removes: body.targetUserId };
  if (body.kind === 'like') return { removes: body.toUserId };
  return body.kind === 'pass' ? { adds: body.targetUserId } : null;
});

const failures: Record<Decision['kind'], string> = {
  like: 'Failed to send like. Please try again.',
  pass: 'Failed to pass. Please try again.',
};

/** The tables of the transactions below. */
const tables = (db: HeartwardDb) => [...outboxTables(db), db.feed, db.likes, db.passes, db.profiles, db.meta];

type Steps = {
  /** False if the member was decided on before, as by a second tap: nothing is stored then. */
  isUndecided?: (db: HeartwardDb) => Promise<boolean>;
  /** Changes what else the screen shows, before the cards are removed. `rowId` is that of the decision in the outbox. */
  change?: (db: HeartwardDb, rowId: string) => Promise<unknown>;
};

/**
 * Stores a like or a pass and takes the member's cards off the lists of candidates. Resolves with the id of its row in
 * the outbox, or null if it was made before. Shows a toast and rejects when the device cannot store it.
 */
export async function decide(
  db: HeartwardDb,
  id: string,
  decision: Decision,
  steps: Steps = {},
): Promise<string | null> {
  try {
    return await withQuotaRetry(db, () =>
      db.transaction('rw', tables(db), async () => {
        if (steps.isUndecided && !(await steps.isUndecided(db))) return null;
        mark(db, id, decision);
        const rowId = await enqueueDecision(db, id, decision);
        if (decision.kind === 'like') await forgetPass(db, id);
        await steps.change?.(db, rowId);
        await removeFromFeed(db, id, decision);
        return rowId;
      }),
    );
  } catch (error) {
    decidedGuard.unmark(db, id);
    passesGuard.unmark(db, id);
    toastError(failures[decision.kind]);
    throw error;
  }
}

function mark(db: HeartwardDb, id: string, { kind }: Decision): void {
  decidedGuard.markRemoved(db, id);
  if (kind === 'like') passesGuard.markRemoved(db, id);
}

async function enqueueDecision(db: HeartwardDb, id: string, decision: Decision): Promise<string> {
  if (decision.kind === 'pass') return enqueue(db, { kind: 'pass', targetUserId: id });
  const { likeType, note } = decision;
  await reduceAllowance(db, likeType);
  return enqueue(db, { kind: 'like', toUserId: id, likeType, ...note });
}

async function removeFromFeed(db: HeartwardDb, id: string, decision: Decision): Promise<void> {
  await db.feed.delete(['forYou', id]);
  if (decision.kind === 'like' && decision.staysInGrid)
    await db.feed.update(['discover', id], { liked: decision.likeType });
  else await db.feed.delete(['discover', id]);
}

/** `id` is the member's. `passId` is the id of the row in the outbox, if the pass was made on this device. */
type Pass = { id: string; passId?: string };

/**
 * Undoes a pass. `change` restores the lists and returns the pass, or null if there is none. Resolves with the pass and
 * the id of the row that sends it to the server, which is null if the server does not have the pass. Rejects when the
 * device cannot store it.
 */
export async function undoPass<T extends Pass>(
  db: HeartwardDb,
  change: (db: HeartwardDb) => Promise<T | null>,
): Promise<{ pass: T; rowId: string | null } | null> {
  let id: string | undefined;
  try {
    return await withQuotaRetry(db, () =>
      db.transaction('rw', tables(db), async () => {
        const pass = await change(db);
        if (!pass) return null;
        id = pass.id;
        decidedGuard.markAdded(db, id);
        passesGuard.markRemoved(db, id);
        await forgetPass(db, id);
        return { pass, rowId: await reversePass(db, pass) };
      }),
    );
  } catch (error) {
    if (id) {
      decidedGuard.markRemoved(db, id);
      passesGuard.unmark(db, id);
    }
    throw error;
  }
}

/** Takes a pass that no longer counts out of the list of passes, and out of those that the deck can undo. */
async function forgetPass(db: HeartwardDb, id: string): Promise<void> {
  await db.passes.delete(id);
  const stored = await getMeta(db, 'passes');
  const remaining = stored.filter((passed) => passed.id !== id);
  if (remaining.length < stored.length) await setMeta(db, 'passes', remaining);
}

/**
 * Deletes a pass that was not sent, and enqueues an unpass unless it was the only one: the list of passes shows one of
 * the server, and the member may have passed again since. The unpass names the pass that the server may get late.
 */
async function reversePass(db: HeartwardDb, { id, passId }: Pass): Promise<string | null> {
  const rows = await db.outbox
    .filter(({ body }) => body.kind === 'pass' && body.targetUserId === id)
    .sortBy('localSeq');
  const last = rows.at(-1);
  if (last?.state === 'queued') await db.outbox.delete(last.clientId);
  // After an attempt without a response the server may have stored it.
  const isUnknownToServer = last?.state === 'failed' || (last?.state === 'queued' && last.attempts === 0);
  if (isUnknownToServer && last.clientId === passId) return null;
  const reversed = last && !isUnknownToServer ? last.clientId : passId;
  return enqueue(db, { kind: 'unpass', targetUserId: id, ...(reversed && { passId: reversed }) });
}
