/**
 * Likes, passes and undone passes, as every screen stores them: a row in the outbox and the lists that it changes, in one
 * transaction, so that a device that is switched off has both or neither.
 */
import type { LikeType } from '@/api/types.ts';
import { enqueue, outboxTables } from '@/offline/outbox/outbox.ts';
import { getDb, type HeartwardDb } from '@/offline/store/db.ts';
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

/** Keeps members out of the list of passes whose pass was undone, or who were liked after all. */
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
  /** Whether the decision is not made yet: its button may be tapped again before it is gone. */
  isOpen?: (db: HeartwardDb) => Promise<boolean>;
  /** Changes what else the screen shows. The member is still in the lists. */
  change?: (db: HeartwardDb, rowId: string) => Promise<unknown>;
};

/**
 * Stores a like or a pass and takes the member's cards off the lists of candidates. Resolves with the id of its row in
 * the outbox, or null if it was made before. Shows a toast and rejects when the device cannot store it.
 */
export async function decide(id: string, decision: Decision, steps: Steps = {}): Promise<string | null> {
  const db = getDb();
  try {
    return await withQuotaRetry(db, () =>
      db.transaction('rw', tables(db), async () => {
        if (steps.isOpen && !(await steps.isOpen(db))) return null;
        mark(id, decision);
        const rowId = await enqueueDecision(db, id, decision);
        await steps.change?.(db, rowId);
        await removeFromFeed(db, id, decision);
        return rowId;
      }),
    );
  } catch (error) {
    decidedGuard.unmark(id);
    passesGuard.unmark(id);
    toastError(failures[decision.kind]);
    throw error;
  }
}

function mark(id: string, { kind }: Decision): void {
  decidedGuard.markRemoved(id);
  if (kind === 'like') passesGuard.markRemoved(id);
}

async function enqueueDecision(db: HeartwardDb, id: string, decision: Decision): Promise<string> {
  if (decision.kind === 'pass') return enqueue({ kind: 'pass', targetUserId: id });
  const { likeType, note } = decision;
  await reduceAllowance(db, likeType);
  return enqueue({ kind: 'like', toUserId: id, likeType, ...note });
}

async function removeFromFeed(db: HeartwardDb, id: string, decision: Decision): Promise<void> {
  await db.feed.delete(['forYou', id]);
  if (decision.kind === 'like' && decision.staysInGrid)
    await db.feed.update(['discover', id], { liked: decision.likeType });
  else await db.feed.delete(['discover', id]);
}

/** A pass: of whom, and the id of its row in the outbox if it was made on this device. */
type Pass = { id: string; passId?: string };

/**
 * Undoes the pass that `change` returns after it has restored the lists; nothing if it returns null. Resolves with the
 * pass and the id of the row that tells the server, which is null if the pass was not sent. Rejects when the device
 * cannot store it.
 */
export async function undoPass<T extends Pass>(
  change: (db: HeartwardDb) => Promise<T | null>,
): Promise<{ pass: T; rowId: string | null } | null> {
  const db = getDb();
  let id: string | undefined;
  try {
    return await withQuotaRetry(db, () =>
      db.transaction('rw', tables(db), async () => {
        const pass = await change(db);
        if (!pass) return null;
        id = pass.id;
        decidedGuard.markAdded(id);
        passesGuard.markRemoved(id);
        return { pass, rowId: await unsend(db, pass) };
      }),
    );
  } catch (error) {
    if (id) {
      decidedGuard.markRemoved(id);
      passesGuard.unmark(id);
    }
    throw error;
  }
}

/**
 * Deletes the row of a queued pass. A pass that the server may have stored is followed by an unpass; a rejected one
 * needs nothing. Returns the id of the unpass.
 */
async function unsend(db: HeartwardDb, { id, passId }: Pass): Promise<string | null> {
  const rows = await db.outbox
    .filter(({ body }) => body.kind === 'pass' && body.targetUserId === id)
    .sortBy('localSeq');
  const pass = rows.at(-1);
  if (pass?.state === 'failed') return null;
  if (pass?.state === 'queued') await db.outbox.delete(pass.clientId);
  // After an attempt without a response the server may have stored it.
  if (pass?.state === 'queued' && pass.attempts === 0) return null;
  return enqueue({ kind: 'unpass', targetUserId: id, ...(passId && { passId }) });
}
