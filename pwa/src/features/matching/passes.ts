/** The member's passes: those of the last 30 days, and the earlier ones. */

import { useQueryClient } from '@tanstack/react-query';
import { liveQuery } from 'dexie';
import { api, unwrapPage } from '@/api/client.ts';
import { DAY_MS } from '@/base/format.ts';
import { decide, passesGuard, undoPass } from '@/domain/decide.ts';
import { useCached, useDb } from '@/offline/store/cached.ts';
import type { HeartwardDb, PassedRow } from '@/offline/store/db.ts';
import { fetchNextPage, refreshMirror, tableMirror } from '@/offline/sync/mirror.ts';
import { toast, toastError } from '@/ui';

/** A pass hides the member from the lists of candidates for 30 days; then it has lapsed. */
const PASS_DAYS = 30;

const hasLapsed = ({ passedAt }: PassedRow) => Date.parse(passedAt) <= Date.now() - PASS_DAYS * DAY_MS;

/** The passes of the last 30 days, or the earlier ones. Both are in one table. */
export type PassList = 'recent' | 'lapsed';

const includedIn: Record<PassList, (row: PassedRow) => boolean> = {
  recent: (row) => !hasLapsed(row),
  lapsed: hasLapsed,
};

const mirrorOf = (list: PassList, cursorKey: 'passes:next' | 'passes:lapsedNext') =>
  tableMirror<PassedRow>({
    table: (db) => db.passes,
    includes: includedIn[list],
    cursorKey,
    sortTimeOf: ({ passedAt }) => passedAt,
    memberOf: ({ user }) => user.id,
    guard: passesGuard,
    fetch: (_, cursor, signal) =>
      unwrapPage(
        api.GET('/api/passes', { params: { query: { cursor, lapsed: list === 'lapsed' } }, signal }),
      ),
  });

const mirrors = {
  recent: mirrorOf('recent', 'passes:next'),
  lapsed: mirrorOf('lapsed', 'passes:lapsedNext'),
};

type Passes = { rows: PassedRow[]; more: boolean };

export async function readPasses(db: HeartwardDb, list: PassList): Promise<Passes> {
  const { removed } = await passesGuard.pending(db);
  const rows = await db.passes.orderBy('passedAt').reverse().filter(includedIn[list]).toArray();
  return {
    rows: rows.filter(({ user }) => !removed.has(user.id)),
    more: (await mirrors[list].readCursor(db)) !== null,
  };
}

export const refreshPasses = (db: HeartwardDb, list: PassList, signal?: AbortSignal) =>
  refreshMirror(db, mirrors[list], signal);

export const loadMorePasses = (db: HeartwardDb, list: PassList) => fetchNextPage(db, mirrors[list]);

export const usePasses = (list: PassList) =>
  useCached({
    key: ['passes', list],
    read: (db) => readPasses(db, list),
    refresh: (db, signal) => refreshPasses(db, list, signal),
    isEmpty: ({ rows }) => rows.length === 0,
    // A pass in the deck must appear on this list.
    staleMs: 0,
  });

/** Likes a member of the list; does nothing if the member is no longer in it. Shows a toast if it cannot be stored. */
export async function likePassed(db: HeartwardDb, { user }: PassedRow): Promise<void> {
  const stored = await decide(
    db,
    user.id,
    { kind: 'like', likeType: 'like' },
    {
      isUndecided: async () => (await db.passes.get(user.id)) !== undefined,
    },
  ).catch(() => null);
  if (stored === null) return;
  navigator.vibrate?.(12);
  toast({
    title: navigator.onLine ? 'Like sent!' : 'Like saved',
    description: navigator.onLine ? 'Your interest has been shared.' : "You're offline. We'll send it later.",
  });
}

/** Returns a function that undoes a pass: on the device at once, on the server through the outbox. */
export function useUndoPass(): (row: PassedRow) => Promise<void> {
  const db = useDb();
  const client = useQueryClient();
  const refreshFeed = () => void client.invalidateQueries({ queryKey: ['refresh', 'feed'] });
  return async ({ user }) => {
    let rowId: string | null;
    try {
      const undone = await undoPass(db, async () => user);
      rowId = undone?.rowId ?? null;
    } catch {
      toastError('Failed to take the pass back. Please try again.');
      return;
    }
    toast({ title: `${user.firstName || 'They'} may be shown to you again` });
    if (rowId === null) refreshFeed();
    else whenSettled(db, rowId, refreshFeed);
  };
}

/** Calls the function when a row has left the outbox or was rejected. Another tab or the worker may send it. */
function whenSettled(db: HeartwardDb, rowId: string, then: () => void): void {
  const subscription = liveQuery(() => db.outbox.get(rowId)).subscribe((row) => {
    if (row && row.state !== 'failed') return;
    subscription.unsubscribe();
    then();
  });
}
