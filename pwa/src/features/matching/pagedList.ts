/** Mirrors of lists that the server returns in pages, newest first. */
import type { Table } from 'dexie';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, setMeta } from '@/offline/store/meta.ts';
import { purgedSince } from '@/offline/store/purge.ts';
import { withQuotaRetry } from '@/offline/store/quota.ts';

type CursorKey = 'likes:next' | 'passes:next';
type Page<Row> = { items: Row[]; next: string | null };

export type PagedList<Row> = {
  /** The meta key of the next page's cursor. */
  key: CursorKey;
  table: (db: HeartwardDb) => Table<Row, string>;
  idOf: (row: Row) => string;
  /** The time by which the server sorts. */
  sortTimeOf: (row: Row) => string;
  fetch: (cursor: string | undefined, signal?: AbortSignal) => Promise<Page<Row>>;
  /** Returns the members removed from the list by answers in the outbox, which the server may not have processed. */
  removedMembers: (db: HeartwardDb) => Promise<Set<string>>;
  memberOf: (row: Row) => string;
};

/** When members were removed from a list in this tab, in ms: responses to earlier requests still contain them. */
const removedAt = new Map<string, number>();

export function markRemoved(list: string, memberId: string): void {
  removedAt.set(`${list} ${memberId}`, Date.now());
}

export function unmarkRemoved(list: string, memberId: string): void {
  removedAt.delete(`${list} ${memberId}`);
}

export const readCursor = async (db: HeartwardDb, key: CursorKey): Promise<string | null> =>
  (await getMeta(db, key)) ?? null;

/** Fetches and stores the first page. Stored rows after it stay. */
export async function refreshFirstPage<Row>(
  db: HeartwardDb,
  list: PagedList<Row>,
  signal?: AbortSignal,
): Promise<void> {
  const since = Date.now();
  const page = await list.fetch(undefined, signal);
  await store(db, list, page, since, async (table) => {
    const last = page.items.at(-1);
    const known = await table.toArray();
    const following =
      page.next && last ? known.filter((row) => list.sortTimeOf(row) < list.sortTimeOf(last)) : [];
    await table.clear();
    await table.bulkPut(following);
    return following.length > 0 ? await readCursor(db, list.key) : page.next;
  });
}

/** Fetches and stores the next page, if there is one. */
export async function fetchNextPage<Row>(db: HeartwardDb, list: PagedList<Row>): Promise<void> {
  const since = Date.now();
  const cursor = await readCursor(db, list.key);
  if (!cursor) return;
  const page = await list.fetch(cursor);
  // Discards the page if the list was refreshed meanwhile.
  const isSameCursor = async () => (await readCursor(db, list.key)) === cursor;
  await store(db, list, page, since, async () => page.next, isSameCursor);
}

function store<Row>(
  db: HeartwardDb,
  list: PagedList<Row>,
  page: Page<Row>,
  since: number,
  prepareTable: (table: Table<Row, string>) => Promise<string | null>,
  isCurrent = async () => true,
): Promise<void> {
  const table = list.table(db);
  return withQuotaRetry(db, () =>
    db.transaction('rw', table, db.meta, db.outbox, async () => {
      if (!(await isCurrent())) return;
      const removedMembers = await list.removedMembers(db);
      const isRemoved = (row: Row) =>
        removedMembers.has(list.memberOf(row)) ||
        purgedSince(list.memberOf(row), since) ||
        (removedAt.get(`${list.key} ${list.memberOf(row)}`) ?? 0) >= since;
      const next = await prepareTable(table);
      await table.bulkPut(page.items.filter((row) => !isRemoved(row)));
      await setMeta(db, list.key, next);
    }),
  );
}
