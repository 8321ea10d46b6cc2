/** Lists of the server that are mirrored on the device, page by page, for reading offline. */
import type { Table } from 'dexie';
import { part } from '@/base/pageSession.ts';
import type { Remaining } from '../../api/client.ts';
import { ApiError } from '../../api/request.ts';
import type { HeartwardDb } from '../store/db.ts';
import { getMeta, type Meta, type MetaKey, setMeta } from '../store/meta.ts';
import { purgedSince } from '../store/purge.ts';
import { withQuotaRetry } from '../store/quota.ts';
import type { RemovalGuard } from './removalGuard.ts';

/** `next` is the cursor of the next page, null after the last one; `remaining` are the rows after this page. */
export type Page<Row> = { items: Row[]; next: string | null; remaining?: Remaining };

/** A page to be stored. `items` does not contain members who were removed since the request. */
type FetchedPage<Row, P extends Page<Row>> = P & {
  /** The last item of the page as the server sent it. */
  last: Row | undefined;
  /** When the page was requested (ms). */
  since: number;
  /** Whether a member was added on this device, before the server had stored that. */
  isAdded: (memberId: string) => boolean;
};

export type Mirror<Row, P extends Page<Row> = Page<Row>> = {
  fetch: (db: HeartwardDb, cursor: string | undefined, signal?: AbortSignal) => Promise<P>;
  /** Returns the id of the member that a row shows; undefined for none. */
  memberOf: (row: Row) => string | undefined;
  guard?: RemovalGuard;
  readCursor: (db: HeartwardDb) => Promise<string | null>;
  /** The tables that `replace` and `append` write, beside `meta`. */
  tables: (db: HeartwardDb) => Table[];
  /** Stores the first page in place of the stored list. Runs in a transaction. */
  replace: (db: HeartwardDb, page: FetchedPage<Row, P>) => Promise<unknown>;
  /** Stores a later page. Runs in a transaction. */
  append: (db: HeartwardDb, page: FetchedPage<Row, P>) => Promise<unknown>;
};

/** Fetches the first page and stores it. */
export const refreshMirror = <Row, P extends Page<Row>>(
  db: HeartwardDb,
  mirror: Mirror<Row, P>,
  signal?: AbortSignal,
): Promise<void> => storePage(db, mirror, undefined, signal);

/** The running fetch of the next page of each mirror. */
const nextPagesOf = part(() => new Map<unknown, Promise<void>>());

/** Fetches and stores the next page, once at a time. Does nothing at the end of the list. */
export function fetchNextPage<Row, P extends Page<Row>>(
  db: HeartwardDb,
  mirror: Mirror<Row, P>,
): Promise<void> {
  const inFlight = nextPagesOf(db);
  const running = inFlight.get(mirror) ?? fetchNext(db, mirror).finally(() => inFlight.delete(mirror));
  inFlight.set(mirror, running);
  return running;
}

async function fetchNext<Row, P extends Page<Row>>(db: HeartwardDb, mirror: Mirror<Row, P>): Promise<void> {
  const cursor = await mirror.readCursor(db);
  if (!cursor) return;
  try {
    await storePage(db, mirror, cursor);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 422)) throw error;
    // The cursor is of another list, as after a change of the filters on another device.
    await refreshMirror(db, mirror);
  }
}

async function storePage<Row, P extends Page<Row>>(
  db: HeartwardDb,
  mirror: Mirror<Row, P>,
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<void> {
  const since = Date.now();
  const before = await mirror.guard?.pending(db);
  const page = await mirror.fetch(db, cursor, signal);
  await withQuotaRetry(db, () =>
    db.transaction('rw', [...mirror.tables(db), db.meta, db.outbox], async () => {
      // The list was replaced meanwhile, and this page does not belong to the new one.
      if (cursor && (await mirror.readCursor(db)) !== cursor) return;
      const changes = before && (await mirror.guard?.since(db, since, before));
      const isRemoved = (row: Row) => {
        const id = mirror.memberOf(row);
        return id !== undefined && (purgedSince(db, id, since) || changes?.isRemoved(id) === true);
      };
      const isAdded = (id: string) =>
        changes?.isAdded(id) === true && !changes.isRemoved(id) && !purgedSince(db, id, since);
      const items = page.items.filter((row) => !isRemoved(row));
      const fetched = { ...page, items, last: page.items.at(-1), since, isAdded };
      await (cursor ? mirror.append(db, fetched) : mirror.replace(db, fetched));
    }),
  );
}

type CursorKey = {
  [K in MetaKey]: Meta[K] extends string | null ? (null extends Meta[K] ? K : never) : never;
}[MetaKey];

type RemainingKey = { [K in MetaKey]: Meta[K] extends Remaining ? K : never }[MetaKey];

type TableOptions<Row> = Pick<Mirror<Row>, 'fetch' | 'guard'> & {
  memberOf: (row: Row) => string;
  table: (db: HeartwardDb) => Table<Row, string>;
  /** Whether a row belongs to this list, if the table has the rows of several lists. */
  includes?: (row: Row) => boolean;
  /** The meta key of the next page's cursor. */
  cursorKey: CursorKey;
  /** The meta key of the number of rows after the stored ones. */
  remainingKey?: RemainingKey;
  /** The time by which the server sorts, the newest first. */
  sortTimeOf: (row: Row) => string;
};

const noneRemaining: Remaining = { count: 0, more: false };

/**
 * Returns a mirror in a table of its own. A refresh of the first page keeps the stored rows of later pages, unless
 * rows may be missing between the page and them because none of the stored rows is as new as the page's last.
 */
export function tableMirror<Row>(options: TableOptions<Row>): Mirror<Row> {
  const { table, cursorKey, remainingKey, sortTimeOf, includes = () => true, ...list } = options;
  const readCursor = async (db: HeartwardDb) => (await getMeta(db, cursorKey)) ?? null;
  const storeRemaining = async (db: HeartwardDb, remaining: Remaining, stored: number) => {
    if (remainingKey)
      await setMeta(db, remainingKey, { ...remaining, count: Math.max(0, remaining.count - stored) });
  };
  return {
    ...list,
    readCursor,
    tables: (db) => [table(db)],
    replace: async (db, { items, next, last, remaining = noneRemaining, isAdded }) => {
      const known = await table(db).filter(includes).toArray();
      const added = known.filter((row) => isAdded(list.memberOf(row)));
      const listed = known.filter((row) => !added.includes(row));
      const overlaps = last && listed.some((row) => sortTimeOf(row) >= sortTimeOf(last));
      const following = next && overlaps ? listed.filter((row) => sortTimeOf(row) < sortTimeOf(last)) : [];
      await table(db).filter(includes).delete();
      await table(db).bulkPut([...added, ...following, ...items]);
      if (following.length === 0) await setMeta(db, cursorKey, next);
      await storeRemaining(db, remaining, following.length);
    },
    append: async (db, { items, next, remaining = noneRemaining }) => {
      await table(db).bulkPut(items);
      await setMeta(db, cursorKey, next);
      await storeRemaining(db, remaining, 0);
    },
  };
}

/** Fetches all pages of a list. */
export async function fetchAllPages<Row>(
  fetch: (cursor: string | undefined) => Promise<Page<Row>>,
): Promise<Row[]> {
  const all: Row[] = [];
  for (let cursor: string | undefined; ; ) {
    const { items, next } = await fetch(cursor);
    all.push(...items);
    if (!next) return all;
    cursor = next;
  }
}
