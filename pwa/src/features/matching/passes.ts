/** The member's passes of the last 30 days. */
import { useQueryClient } from '@tanstack/react-query';
import { liveQuery } from 'dexie';
import { api, unwrapPage } from '@/api/client.ts';
import { enqueue, outboxTables } from '@/offline/outbox/outbox.ts';
import { useCached } from '@/offline/store/cached.ts';
import { getDb, type HeartwardDb, type PassedRow } from '@/offline/store/db.ts';
import { withQuotaRetry } from '@/offline/store/quota.ts';
import { fetchNextPage, refreshMirror, tableMirror } from '@/offline/sync/mirror.ts';
import { RemovalGuard } from '@/offline/sync/removalGuard.ts';
import { toast, toastError } from '@/ui';

/** A pass leaves the list when it is undone, and when the member is liked after all. */
const undos = new RemovalGuard((body) => {
  if (body.kind === 'unpass') return { removes: body.targetUserId };
  if (body.kind === 'like') return { removes: body.toUserId };
  return body.kind === 'pass' ? { adds: body.targetUserId } : null;
});

const mirror = tableMirror<PassedRow>({
  table: (db) => db.passes,
  cursorKey: 'passes:next',
  sortTimeOf: ({ passedAt }) => passedAt,
  memberOf: ({ user }) => user.id,
  guard: undos,
  fetch: (_, cursor, signal) => unwrapPage(api.GET('/api/passes', { params: { query: { cursor } }, signal })),
});

type Passes = { rows: PassedRow[]; more: boolean };

async function readPasses(db: HeartwardDb): Promise<Passes> {
  const { removed } = await undos.pending(db);
  const rows = await db.passes.orderBy('passedAt').reverse().toArray();
  return {
    rows: rows.filter(({ user }) => !removed.has(user.id)),
    more: (await mirror.readCursor(db)) !== null,
  };
}

export const loadMorePasses = () => fetchNextPage(getDb(), mirror);

export const usePasses = () =>
  useCached({
    key: ['passes'],
    read: readPasses,
    refresh: (db, signal) => refreshMirror(db, mirror, signal),
    isEmpty: ({ rows }) => rows.length === 0,
    // A pass in the deck must appear on this list.
    staleMs: 0,
  });

/** Returns a function that undoes a pass: on the device at once, on the server through the outbox. */
export function useUndoPass(): (row: PassedRow) => Promise<void> {
  const client = useQueryClient();
  return async ({ user }) => {
    const db = getDb();
    undos.markRemoved(user.id);
    let rowId = '';
    try {
      rowId = await withQuotaRetry(db, () =>
        db.transaction('rw', [...outboxTables(db), db.passes], async () => {
          await db.passes.delete(user.id);
          return enqueue({ kind: 'unpass', targetUserId: user.id });
        }),
      );
    } catch {
      undos.unmark(user.id);
      toastError('Failed to take the pass back. Please try again.');
      return;
    }
    toast({ title: `${user.firstName || 'They'} may be shown to you again` });
    // Watched in the outbox, because another tab or the worker may send it.
    const subscription = liveQuery(() => db.outbox.get(rowId)).subscribe((row) => {
      if (row && row.state !== 'failed') return;
      subscription.unsubscribe();
      void client.invalidateQueries({ queryKey: ['refresh', 'feed'] });
    });
  };
}
