/** Lists that the server gives page by page, newest first, kept on the device for reading offline. */
import type { Table } from 'dexie';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { getMeta, setMeta } from '@/offline/store/meta.ts';
import { purgedSince } from '@/offline/store/purge.ts';
import { withQuotaRetry } from '@/offline/store/quota.ts';

type CursorKey = 'likes:next' | 'passes:next';
type Page<Row> = { items: Row[]; next: string | null };

export type PagedList<Row> = {
  /** Under which the cursor of the next page is kept. */
  key: CursorKey;
  table: (db: HeartwardDb) => Table<Row, string>;
  idOf: (row: Row) => string;
  /** The moment by which the server sorts. */
  atOf: (row: Row) => string;
  fetch: (cursor: string | undefined, signal?: AbortSignal) => Promise<Page<Row>>;
  /** Members who left the list here, of which the server may not have heard. */
  gone: (db: HeartwardDb) => Promise<Set<string>>;
  memberOf: (row: Row) => string;
};

/** Members taken off a list in this tab, with the moment: an answer begun before still holds them. */
const taken = new Map<string, number>();

export function noteTaken(list: string, memberId: string): void {
  taken.set(`${list} ${memberId}`, Date.now());
}

export function forgetTaken(list: string, memberId: string): void {
  taken.delete(`${list} ${memberId}`);
}

export const nextOf = async (db: HeartwardDb, key: CursorKey): Promise<string | null> =>
  (await getMeta(db, key)) ?? null;

/** Takes the first page; what lies behind it stays as it is known. */
export async function refreshPages<Row>(
  db: HeartwardDb,
  list: PagedList<Row>,
  signal?: AbortSignal,
): Promise<void> {
  const since = Date.now();
  const page = await list.fetch(undefined, signal);
  await store(db, list, page, since, async (table) => {
    const last = page.items.at(-1);
    const known = await table.toArray();
    const behind = page.next && last ? known.filter((row) => list.atOf(row) < list.atOf(last)) : [];
    await table.clear();
    await table.bulkPut(behind);
    return behind.length > 0 ? await nextOf(db, list.key) : page.next;
  });
}

/** Fetches the page after those held; nothing to do at the end. */
export async function continuePages<Row>(db: HeartwardDb, list: PagedList<Row>): Promise<void> {
  const since = Date.now();
  const cursor = await nextOf(db, list.key);
  if (!cursor) return;
  const page = await list.fetch(cursor);
  // The list may have begun anew meanwhile: then it goes on from there.
  const goesOn = async () => (await nextOf(db, list.key)) === cursor;
  await store(db, list, page, since, async () => page.next, goesOn);
}

function store<Row>(
  db: HeartwardDb,
  list: PagedList<Row>,
  page: Page<Row>,
  since: number,
  makeWay: (table: Table<Row, string>) => Promise<string | null>,
  isWanted = async () => true,
): Promise<void> {
  const table = list.table(db);
  return withQuotaRetry(db, () =>
    db.transaction('rw', table, db.meta, db.outbox, async () => {
      if (!(await isWanted())) return;
      const gone = await list.gone(db);
      const left = (row: Row) =>
        gone.has(list.memberOf(row)) ||
        purgedSince(list.memberOf(row), since) ||
        (taken.get(`${list.key} ${list.memberOf(row)}`) ?? 0) >= since;
      const next = await makeWay(table);
      await table.bulkPut(page.items.filter((row) => !left(row)));
      await setMeta(db, list.key, next);
    }),
  );
}
