/** The member's passes of the last 30 days. */
import { useQueryClient } from '@tanstack/react-query';
import { liveQuery } from 'dexie';
import { api, unwrapPage } from '@/api/client.ts';
import { enqueue, outboxTables } from '@/offline/outbox/outbox.ts';
import { useCached } from '@/offline/store/cached.ts';
import { getDb, type HeartwardDb, type PassedRow } from '@/offline/store/db.ts';
import { withQuotaRetry } from '@/offline/store/quota.ts';
import { toast, toastError } from '@/ui';
import {
  fetchNextPage,
  markRemoved,
  type PagedList,
  readCursor,
  refreshFirstPage,
  unmarkRemoved,
} from './pagedList.ts';

const list: PagedList<PassedRow> = {
  key: 'passes:next',
  table: (db) => db.passes,
  idOf: ({ user }) => user.id,
  sortTimeOf: ({ passedAt }) => passedAt,
  memberOf: ({ user }) => user.id,
  fetch: (cursor, signal) => unwrapPage(api.GET('/api/passes', { params: { query: { cursor } }, signal })),
  removedMembers: async (db) => {
    const undone = new Set<string>();
    for (const { body, state } of await db.outbox.orderBy('localSeq').toArray()) {
      if (state === 'failed') continue;
      if (body.kind === 'unpass') undone.add(body.targetUserId);
      if (body.kind === 'pass') undone.delete(body.targetUserId);
      if (body.kind === 'like') undone.add(body.toUserId);
    }
    return undone;
  },
};

type Passes = { rows: PassedRow[]; more: boolean };

async function readPasses(db: HeartwardDb): Promise<Passes> {
  const undone = await list.removedMembers(db);
  const rows = await db.passes.orderBy('passedAt').reverse().toArray();
  return {
    rows: rows.filter(({ user }) => !undone.has(user.id)),
    more: (await readCursor(db, list.key)) !== null,
  };
}

export const loadMorePasses = () => fetchNextPage(getDb(), list);

export const usePasses = () =>
  useCached({
    key: ['passes'],
    read: readPasses,
    refresh: (db, signal) => refreshFirstPage(db, list, signal),
    isEmpty: ({ rows }) => rows.length === 0,
    // A pass in the deck must appear on this list.
    staleMs: 0,
  });

/** Returns a function that undoes a pass: on the device at once, on the server through the outbox. */
export function useUndoPass(): (row: PassedRow) => Promise<void> {
  const client = useQueryClient();
  return async ({ user }) => {
    const db = getDb();
    markRemoved(list.key, user.id);
    let rowId = '';
    try {
      rowId = await withQuotaRetry(db, () =>
        db.transaction('rw', [...outboxTables(db), db.passes], async () => {
          await db.passes.delete(user.id);
          return enqueue({ kind: 'unpass', targetUserId: user.id });
        }),
      );
    } catch {
      unmarkRemoved(list.key, user.id);
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
