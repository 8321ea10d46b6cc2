/** Whom the member passed on in the last 30 days, and the way back. */
import { useQueryClient } from '@tanstack/react-query';
import { liveQuery } from 'dexie';
import { api, unwrapPage } from '@/api/client.ts';
import { enqueue, outboxTables } from '@/offline/outbox/outbox.ts';
import { useCached } from '@/offline/store/cached.ts';
import { getDb, type HeartwardDb, type PassedRow } from '@/offline/store/db.ts';
import { withQuotaRetry } from '@/offline/store/quota.ts';
import { toast, toastError } from '@/ui';
import { continuePages, forgetTaken, nextOf, noteTaken, type PagedList, refreshPages } from './pages.ts';

const list: PagedList<PassedRow> = {
  key: 'passes:next',
  table: (db) => db.passes,
  idOf: ({ user }) => user.id,
  atOf: ({ passedAt }) => passedAt,
  memberOf: ({ user }) => user.id,
  fetch: (cursor, signal) => unwrapPage(api.GET('/api/passes', { params: { query: { cursor } }, signal })),
  gone: async (db) => {
    const back = new Set<string>();
    for (const { body, state } of await db.outbox.orderBy('localSeq').toArray()) {
      if (state === 'failed') continue;
      if (body.kind === 'unpass') back.add(body.targetUserId);
      if (body.kind === 'pass') back.delete(body.targetUserId);
      if (body.kind === 'like') back.add(body.toUserId);
    }
    return back;
  },
};

type Passed = { rows: PassedRow[]; more: boolean };

async function readPassed(db: HeartwardDb): Promise<Passed> {
  const back = await list.gone(db);
  const rows = await db.passes.orderBy('passedAt').reverse().toArray();
  return { rows: rows.filter(({ user }) => !back.has(user.id)), more: (await nextOf(db, list.key)) !== null };
}

export const morePassed = () => continuePages(getDb(), list);

export const usePassed = () =>
  useCached({
    key: ['passes'],
    read: readPassed,
    refresh: (db, signal) => refreshPages(db, list, signal),
    isEmpty: ({ rows }) => rows.length === 0,
    // A pass in the deck is on this list a moment later.
    staleMs: 0,
  });

/** Takes a pass back, here at once and at the server when it can be reached. */
export function useTakeBack(): (row: PassedRow) => Promise<void> {
  const client = useQueryClient();
  return async ({ user }) => {
    const db = getDb();
    noteTaken(list.key, user.id);
    let sent = '';
    try {
      sent = await withQuotaRetry(db, () =>
        db.transaction('rw', [...outboxTables(db), db.passes], async () => {
          await db.passes.delete(user.id);
          return enqueue({ kind: 'unpass', targetUserId: user.id });
        }),
      );
    } catch {
      forgetTaken(list.key, user.id);
      toastError('Failed to take the pass back. Please try again.');
      return;
    }
    toast({ title: `${user.firstName || 'They'} may be shown to you again` });
    // Another tab or the worker may send it.
    const watching = liveQuery(() => db.outbox.get(sent)).subscribe((row) => {
      if (row && row.state !== 'failed') return;
      watching.unsubscribe();
      void client.invalidateQueries({ queryKey: ['refresh', 'feed'] });
    });
  };
}
