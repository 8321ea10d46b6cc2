/**
 * Fetches the changes since the last sync, because events may be lost: the changed conversations (GET /api/sync), then
 * for each the messages after the last stored one.
 */
import { part } from '@/base/pageSession.ts';
import { api, unwrap } from '../../api/client.ts';
import { isId } from '../../api/ids.ts';
import { ApiError } from '../../api/request.ts';
import type { ConversationSummary, Message, SyncDelta } from '../../api/types.ts';
import { enqueue, outboxTables } from '../outbox/outbox.ts';
import type { HeartwardDb } from '../store/db.ts';
import { whenIdle } from '../store/idle.ts';
import { MERGE_TABLES, mergeChanges, mergePage, mergeSummary } from '../store/merge.ts';
import { getMeta, setMeta } from '../store/meta.ts';
import { purgeWithNotice } from '../store/purge.ts';
import { storedMessages, withQuotaRetry } from '../store/quota.ts';
import type { ConversationRow, ThreadRow } from '../store/rows.ts';
import { fetchMessages, PAGE_SIZE } from './fetchMessages.ts';

/** If more messages than this are missing, the newest page replaces the stored messages. */
const MAX_MISSING = 300;
const PARALLEL = 4;

/** What runs in this tab. */
const stateOf = part(() => ({
  running: null as Promise<void> | null,
  /** Whether the running sync is to run once more. */
  rerun: false,
  /** Whether this tab has synced, and the callers that wait for the first sync. */
  hasSynced: false,
  waitingForStart: [] as (() => void)[],
  /** The last fetch of messages of each conversation. */
  deltas: new Map<string, Promise<void>>(),
}));

/** Syncs, once at a time. A call during a sync makes it run once more. */
export function sync(db: HeartwardDb): Promise<void> {
  const state = stateOf(db);
  if (state.running) {
    state.rerun = true;
    return state.running;
  }
  state.running = (async () => {
    do {
      state.rerun = false;
      await syncOnce(db);
      state.hasSynced = true;
    } while (state.rerun);
  })().finally(() => {
    state.running = null;
  });
  for (const start of state.waitingForStart.splice(0)) start();
  return state.running;
}

/**
 * Syncs for a screen, or waits for the running sync. At the start of a tab it first waits up to `waitMs` for the sync
 * that the socket starts, so that there are not two; but not on a new device, where the screen is empty meanwhile.
 */
export async function syncForScreen(db: HeartwardDb, waitMs = 800): Promise<void> {
  const isNewDevice = (await getMeta(db, 'syncCursor')) === undefined;
  const state = stateOf(db);
  if (!state.running && !state.hasSynced && !isNewDevice) {
    await new Promise<void>((resolve) => {
      state.waitingForStart.push(resolve);
      setTimeout(resolve, waitMs);
    });
  }
  await (state.running ?? sync(db));
}

async function syncOnce(db: HeartwardDb): Promise<void> {
  let isFirst = true;
  let isFull = false;
  for (;;) {
    const cursor = await getMeta(db, 'syncCursor');
    const page = await unwrap(
      api.GET('/api/sync', { params: { query: cursor ? { cursor } : {} } }).catch(dropInvalidCursor(db)),
    );
    isFull ||= page.reset;
    const rows = await withQuotaRetry(db, () => storeSyncPage(db, page, cursor === undefined));
    for (const id of page.removed) await removeConversation(db, id);
    // A new device fetches the threads of the first page for offline use; others when they are opened.
    await fetchMissing(db, rows, isFull && !isFirst);
    isFirst = false;
    // Stored last: after a crash the page is fetched and stored again, which changes nothing.
    await setMeta(db, 'syncCursor', page.cursor);
    if (!page.hasMore) break;
  }
  for (const { id } of await db.conversations.filter(({ stale }) => stale === true).toArray()) {
    const summary = await fetchSummary(id);
    if (summary) await fetchMissing(db, await storeSummaries(db, [summary]));
    else await removeConversation(db, id);
  }
}

/**
 * Stores a page. The first page of a full list makes all stored rows stale until the list contains them, and deletes
 * unsent receipts, because other messages may have their seq now. On a new device the stored rows are current: the page
 * is merged with them, so that messages read meanwhile stay read.
 */
const storeSyncPage = (db: HeartwardDb, page: SyncDelta, isFirstEver: boolean): Promise<ConversationRow[]> =>
  db.transaction('rw', [db.conversations, db.threads, db.outbox], async () => {
    if (page.reset) {
      const merged = new Set(isFirstEver ? page.conversations.map(({ id }) => id) : []);
      await db.conversations.filter(({ id }) => !merged.has(id)).modify({ stale: true });
      if (!isFirstEver) {
        await db.threads.toCollection().modify({ stale: true });
        await db.outbox.filter(({ kind }) => kind === 'receipt').delete();
      }
    }
    return storeSummaries(db, page.conversations);
  });

/** Empties a cursor that the server has rejected, so that the next sync replaces all rows. */
function dropInvalidCursor(db: HeartwardDb) {
  return async (error: unknown): Promise<never> => {
    if (error instanceof ApiError && error.status === 422) await setMeta(db, 'syncCursor', '');
    throw error;
  };
}

/** Fetches the missing messages and changes of these conversations; with `onlyStored` not of those without a thread. */
async function fetchMissing(db: HeartwardDb, rows: ConversationRow[], onlyStored = false): Promise<void> {
  const queue = [...rows];
  const worker = async () => {
    for (let row = queue.shift(); row; row = queue.shift()) {
      const thread = await db.threads.get(row.id);
      if (onlyStored && !thread) continue;
      // No screen waits for a thread that was never opened here.
      if (!thread) await whenIdle();
      if (thread?.stale || (thread?.lastSeq ?? 0) < row.lastSeq) await fetchDelta(db, row.id, row.lastSeq);
      if (thread && !thread.stale && (thread.rev ?? 0) < row.lastRev) await fetchChanges(db, row.id);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}

/**
 * Fetches the missing messages of a conversation, at least up to `upTo` if given. Removes the conversation if the
 * server responds with 404.
 */
export function fetchDelta(
  db: HeartwardDb,
  conversationId: string,
  upTo = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  const { deltas } = stateOf(db);
  const before = deltas.get(conversationId) ?? Promise.resolve();
  const current = before
    .catch(() => undefined)
    .then(() => fetchDeltaNow(db, conversationId, upTo))
    .finally(() => {
      if (deltas.get(conversationId) === current) deltas.delete(conversationId);
    });
  deltas.set(conversationId, current);
  return current;
}

async function fetchDeltaNow(db: HeartwardDb, conversationId: string, upTo: number): Promise<void> {
  try {
    const thread = await db.threads.get(conversationId);
    // Read before the request, so that changes made during it are fetched again and none is missed.
    const row = await db.conversations.get(conversationId);
    const rev = row?.stale ? 0 : (row?.lastRev ?? 0);
    const isFarBehind = thread && upTo < Number.MAX_SAFE_INTEGER && upTo - thread.lastSeq > MAX_MISSING;
    if (thread?.stale) {
      const { replaceThread } = await import('./restoredThread.ts');
      await replaceThread(db, thread, rev);
    } else if (!thread || isFarBehind) {
      const page = await fetchMessages(conversationId, {});
      // Replaced after the response, so that the old messages can be read if there is none.
      await (isFarBehind ? replaceWithPage(db, conversationId, page, rev) : storePage(db, page, rev));
    } else {
      for (let last = thread.lastSeq; last < upTo; ) {
        const page = await fetchMessages(conversationId, { after: last });
        await storePage(db, page);
        if (page.length < PAGE_SIZE) break;
        last = page[page.length - 1]?.seq ?? upTo;
      }
    }
    await enqueueDelivered(db, conversationId);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    await removeConversation(db, conversationId);
  }
}

/** Returns the thread; a stale one is fetched again first. */
export async function freshThread(db: HeartwardDb, conversationId: string): Promise<ThreadRow | undefined> {
  const thread = await db.threads.get(conversationId);
  if (!thread?.stale) return thread;
  await fetchDelta(db, conversationId);
  const replaced = await db.threads.get(conversationId);
  return replaced?.stale ? undefined : replaced;
}

/** Stores a page that is adjacent to the stored range. */
export const storePage = (db: HeartwardDb, page: Message[], rev?: number) =>
  withQuotaRetry(db, () => db.transact(MERGE_TABLES, (tx) => mergePage(tx, db.memberId, page, rev)));

/** Replaces the stored messages by a page, in one transaction, so that no older page is stored in between. */
const replaceWithPage = (db: HeartwardDb, conversationId: string, page: Message[], rev: number) =>
  withQuotaRetry(db, () =>
    db.transaction('rw', MERGE_TABLES, async () => {
      await deleteThread(db, conversationId);
      await db.transact(MERGE_TABLES, (tx) => mergePage(tx, db.memberId, page, rev));
    }),
  );

/** Fetches the changes (reactions, deletions) of the stored messages of a thread. */
export async function fetchChanges(db: HeartwardDb, conversationId: string): Promise<void> {
  for (;;) {
    const thread = await db.threads.get(conversationId);
    if (!thread) return;
    if (thread.stale) return fetchDelta(db, conversationId);
    const after = thread.rev ?? 0;
    // Read before the request, as in `fetchDeltaNow`.
    const upTo = (await db.conversations.get(conversationId))?.lastRev ?? 0;
    const page = await unwrap(
      api.GET('/api/conversations/{id}/changes', {
        params: { path: { id: conversationId }, query: { after, limit: PAGE_SIZE } },
      }),
    );
    const last = page.length < PAGE_SIZE;
    const merged = await db.transact(MERGE_TABLES, (tx) =>
      mergeChanges(tx, db.memberId, conversationId, page, last ? upTo : 0),
    );
    // The fetched messages contain their changes.
    if (merged === 'gap') await fetchDelta(db, conversationId);
    if (last) return;
  }
}

/** Enqueues a receipt that the messages were delivered to this device. */
export async function enqueueDelivered(db: HeartwardDb, conversationId: string): Promise<void> {
  await db.transaction('rw', [...outboxTables(db), db.conversations, db.threads], async () => {
    const row = await db.conversations.get(conversationId);
    const thread = await db.threads.get(conversationId);
    if (!row || row.stale || !thread || thread.stale || thread.lastSeq <= row.deliveredSeq) return;
    await db.conversations.update(conversationId, { deliveredSeq: thread.lastSeq });
    await enqueue(db, { kind: 'receipt', conversationId, deliveredSeq: thread.lastSeq });
  });
}

/** Marks a conversation as read up to `seq`, and enqueues the receipt in the same transaction. */
export async function markRead(db: HeartwardDb, conversationId: string, seq: number): Promise<void> {
  await db.transaction('rw', [...outboxTables(db), db.conversations], async () => {
    const row = await db.conversations.get(conversationId);
    if (!row || row.stale || (seq <= row.readSeq && row.unreadCount === 0)) return;
    const readSeq = Math.max(Math.min(seq, row.lastSeq), row.readSeq);
    const deliveredSeq = Math.max(row.deliveredSeq, readSeq);
    const unreadCount = readSeq >= row.lastSeq ? 0 : row.unreadCount;
    await db.conversations.update(conversationId, { readSeq, deliveredSeq, unreadCount });
    await enqueue(db, { kind: 'receipt', conversationId, deliveredSeq, readSeq });
  });
}

/** Returns the conversation on the device with this id, or with the member or match of this id. */
export const readConversation = async (db: HeartwardDb, id: string): Promise<ConversationRow | undefined> =>
  (await db.conversations.get(id)) ??
  (await db.conversations.where('userId').equals(id).first()) ??
  (await db.conversations.where('matchId').equals(id).first());

/** Returns the id of the conversation that readConversation finds, else the server; null if there is none. */
export async function findConversation(db: HeartwardDb, id: string): Promise<string | null> {
  const known = await readConversation(db, id);
  if (known) return known.id;
  const summary = isId(id) ? await fetchSummary(id) : null;
  if (summary) await storeNewSummary(db, summary);
  return summary?.id ?? null;
}

/** Fetches a conversation; null if there is none. */
async function fetchSummary(id: string): Promise<ConversationSummary | null> {
  const found = await unwrap(api.GET('/api/conversations', { params: { query: { with: id } } }));
  return found.find((summary) => [summary.id, summary.matchId, summary.user.id].includes(id)) ?? null;
}

/**
 * Stores a conversation from the response to a change of it. The response to a running sync may be older and replace it;
 * the sync then runs once more.
 */
export async function storeConversation(db: HeartwardDb, summary: ConversationSummary): Promise<void> {
  await storeSummaries(db, [summary]);
  const state = stateOf(db);
  state.rerun = state.running !== null;
}

/** Stores a conversation unless it is stored: a sync may have stored newer data during the request. */
const storeNewSummary = (db: HeartwardDb, summary: ConversationSummary) =>
  db.transact(['conversations'], async (tx) => {
    const stored = await tx.get('conversations', summary.id);
    if (!stored || stored.stale) await mergeSummary(tx, summary);
  });

const storeSummaries = (db: HeartwardDb, summaries: ConversationSummary[]) =>
  db.transact(['conversations'], async (tx) => {
    const merged: ConversationRow[] = [];
    for (const summary of summaries) merged.push(await mergeSummary(tx, summary));
    return merged;
  });

/** Deletes the stored messages of a thread, but not waiting ones. */
async function deleteThread(db: HeartwardDb, conversationId: string): Promise<void> {
  await db.transaction('rw', db.messages, db.threads, async () => {
    await storedMessages(db, conversationId, 1e12).delete();
    await db.threads.delete(conversationId);
  });
}

/** Purges the other member of a conversation that the server no longer returns, because the contact has ended. */
export async function removeConversation(db: HeartwardDb, conversationId: string): Promise<void> {
  const row = await db.conversations.get(conversationId);
  if (row) await purgeWithNotice(db, row.userId);
  else await deleteThread(db, conversationId);
}
