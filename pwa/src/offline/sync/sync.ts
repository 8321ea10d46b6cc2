/**
 * Catching up with the server. Events are hints; what was missed comes from
 * here: which conversations changed (GET /api/sync), then per conversation the
 * messages after the last one stored.
 */
import { api, unwrap } from '../../api/client.ts';
import { ApiError } from '../../api/request.ts';
import type { ConversationSummary, Message, SyncDelta } from '../../api/types.ts';
import { enqueue, outboxTables } from '../outbox/outbox.ts';
import type { HeartwardDb } from '../store/db.ts';
import { MERGE_TABLES, mergeChanges, mergePage, mergeSummary } from '../store/merge.ts';
import { getMeta, setMeta } from '../store/meta.ts';
import { purgeParted } from '../store/purge.ts';
import { storedMessages, withQuotaRetry } from '../store/quota.ts';
import type { ConversationRow, ThreadRow } from '../store/rows.ts';
import { fetchMessages, PAGE } from './fetchMessages.ts';

/** Further behind than this, the newest page is fetched afresh instead of all that lies between. */
const FAR_BEHIND = 300;
const PARALLEL = 4;

let running: Promise<void> | null = null;
let again = false;
/** Whether this tab has caught up before, and who waits for the first time. */
let caughtUp = false;
const starting: (() => void)[] = [];

/** One sync at a time; a call during one makes it run once more. */
export function sync(db: HeartwardDb): Promise<void> {
  if (running) {
    again = true;
    return running;
  }
  running = (async () => {
    do {
      again = false;
      await syncOnce(db);
      caughtUp = true;
    } while (again);
  })().finally(() => {
    running = null;
  });
  for (const start of starting.splice(0)) start();
  return running;
}

/**
 * For screens: joins the sync that runs. At the start of a tab the socket's first word is about to begin one,
 * which is waited for, so that the same is not asked twice.
 */
export async function syncForScreen(db: HeartwardDb, patienceMs = 800): Promise<void> {
  if (!running && !caughtUp) {
    await new Promise<void>((resolve) => {
      starting.push(resolve);
      setTimeout(resolve, patienceMs);
    });
  }
  await (running ?? sync(db));
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
    // A new device fetches the threads of its first page for reading offline; others when opened.
    await catchUp(db, rows, isFull && !isFirst);
    isFirst = false;
    // Only now: a crash before this repeats the page, which is harmless.
    await setMeta(db, 'syncCursor', page.cursor);
    if (!page.hasMore) break;
  }
  for (const { id } of await db.conversations.filter(({ stale }) => stale === true).toArray()) {
    const summary = await fetchSummary(id);
    if (summary) await catchUp(db, await storeSummaries(db, [summary]));
    else await removeConversation(db, id);
  }
}

/**
 * A page that begins a full list replaces what is stored: each row is stale until the list brings it. Receipts on
 * their way name messages by numbers that others may have now. What a device holds before its first sync was asked
 * for just now: what the page brings is merged with it, and what the member read meanwhile stays read.
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

/** Empties a cursor that the server refused, so that the next sync replaces what is stored. */
function dropInvalidCursor(db: HeartwardDb) {
  return async (error: unknown): Promise<never> => {
    if (error instanceof ApiError && error.status === 422) await setMeta(db, 'syncCursor', '');
    throw error;
  };
}

/** Fetches what is missing of the threads of these rows, `onlyStored` of those that this device holds. */
async function catchUp(db: HeartwardDb, rows: ConversationRow[], onlyStored = false): Promise<void> {
  const queue = [...rows];
  const worker = async () => {
    for (let row = queue.shift(); row; row = queue.shift()) {
      const thread = await db.threads.get(row.id);
      if (onlyStored && !thread) continue;
      if (thread?.stale || (thread?.lastSeq ?? 0) < row.lastSeq) await fetchDelta(db, row.id, row.lastSeq);
      if (thread && !thread.stale && (thread.rev ?? 0) < row.lastRev) await fetchChanges(db, row.id);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}

const inFlight = new Map<string, Promise<void>>();

/**
 * Fetches what is missing of one conversation, up to at least `upTo` where that
 * is known. A conversation the server no longer shows is removed here too.
 */
export function fetchDelta(
  db: HeartwardDb,
  conversationId: string,
  upTo = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  const before = inFlight.get(conversationId) ?? Promise.resolve();
  const mine = before
    .catch(() => undefined)
    .then(() => delta(db, conversationId, upTo))
    .finally(() => {
      if (inFlight.get(conversationId) === mine) inFlight.delete(conversationId);
    });
  inFlight.set(conversationId, mine);
  return mine;
}

async function delta(db: HeartwardDb, conversationId: string, upTo: number): Promise<void> {
  try {
    const thread = await db.threads.get(conversationId);
    // Read before the request: later changes are fetched again, and none is missed.
    const row = await db.conversations.get(conversationId);
    const rev = row?.stale ? 0 : (row?.lastRev ?? 0);
    const far = thread && upTo < Number.MAX_SAFE_INTEGER && upTo - thread.lastSeq > FAR_BEHIND;
    if (thread?.stale) {
      const { replaceThread } = await import('./restored.ts');
      await replaceThread(db, thread, rev);
    } else if (!thread || far) {
      const page = await fetchMessages(conversationId, {});
      // Only now: without an answer the old messages are still there to be read.
      await (far ? replaceWithPage(db, conversationId, page, rev) : storePage(db, page, rev));
    } else {
      for (let last = thread.lastSeq; last < upTo; ) {
        const page = await fetchMessages(conversationId, { after: last });
        await storePage(db, page);
        if (page.length < PAGE) break;
        last = page[page.length - 1]?.seq ?? upTo;
      }
    }
    await enqueueDelivered(db, conversationId);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    await removeConversation(db, conversationId);
  }
}

/** The thread as the server has it, for reading back: a stale one is replaced first. */
export async function freshThread(db: HeartwardDb, conversationId: string): Promise<ThreadRow | undefined> {
  const thread = await db.threads.get(conversationId);
  if (!thread?.stale) return thread;
  await fetchDelta(db, conversationId);
  const replaced = await db.threads.get(conversationId);
  return replaced?.stale ? undefined : replaced;
}

/** Stores a page that touches what is stored. */
export const storePage = (db: HeartwardDb, page: Message[], rev?: number) =>
  withQuotaRetry(db, () => db.transact(MERGE_TABLES, (tx) => mergePage(tx, db.memberId, page, rev)));

/** Stores a page in place of all that was stored; in one step, else an older page could come in between. */
const replaceWithPage = (db: HeartwardDb, conversationId: string, page: Message[], rev: number) =>
  withQuotaRetry(db, () =>
    db.transaction('rw', MERGE_TABLES, async () => {
      await dropThread(db, conversationId);
      await db.transact(MERGE_TABLES, (tx) => mergePage(tx, db.memberId, page, rev));
    }),
  );

/** Fetches what was changed in a thread that is stored: reactions, deletions. */
export async function fetchChanges(db: HeartwardDb, conversationId: string): Promise<void> {
  for (;;) {
    const thread = await db.threads.get(conversationId);
    if (!thread) return;
    if (thread.stale) return fetchDelta(db, conversationId);
    const after = thread.rev ?? 0;
    // As above: what the list said before is covered by an answer that came after it.
    const upTo = (await db.conversations.get(conversationId))?.lastRev ?? 0;
    const page = await unwrap(
      api.GET('/api/conversations/{id}/changes', {
        params: { path: { id: conversationId }, query: { after, limit: PAGE } },
      }),
    );
    const last = page.length < PAGE;
    const merged = await db.transact(MERGE_TABLES, (tx) =>
      mergeChanges(tx, db.memberId, conversationId, page, last ? upTo : 0),
    );
    // Messages are fetched as they are now, so the changes are not needed again.
    if (merged === 'gap') await fetchDelta(db, conversationId);
    if (last) return;
  }
}

/** Tells the other side that their messages reached this device; stored first, like every write. */
export async function enqueueDelivered(db: HeartwardDb, conversationId: string): Promise<void> {
  await db.transaction('rw', [...outboxTables(db), db.conversations, db.threads], async () => {
    const row = await db.conversations.get(conversationId);
    const thread = await db.threads.get(conversationId);
    if (!row || row.stale || !thread || thread.stale || thread.lastSeq <= row.deliveredSeq) return;
    await db.conversations.update(conversationId, { deliveredSeq: thread.lastSeq });
    await enqueue({ kind: 'receipt', conversationId, deliveredSeq: thread.lastSeq });
  });
}

/** The member saw the conversation up to `seq`. What is shown as read here and what the server hears go together. */
export async function markRead(db: HeartwardDb, conversationId: string, seq: number): Promise<void> {
  await db.transaction('rw', [...outboxTables(db), db.conversations], async () => {
    const row = await db.conversations.get(conversationId);
    if (!row || row.stale || (seq <= row.readSeq && row.unreadCount === 0)) return;
    const readSeq = Math.max(Math.min(seq, row.lastSeq), row.readSeq);
    const deliveredSeq = Math.max(row.deliveredSeq, readSeq);
    const unreadCount = readSeq >= row.lastSeq ? 0 : row.unreadCount;
    await db.conversations.update(conversationId, { readSeq, deliveredSeq, unreadCount });
    await enqueue({ kind: 'receipt', conversationId, deliveredSeq, readSeq });
  });
}

/**
 * The conversation that a member, match or conversation id names: from the
 * device where possible, else from the server. Null when there is none.
 */
export async function findConversation(db: HeartwardDb, id: string): Promise<string | null> {
  const known =
    (await db.conversations.get(id)) ??
    (await db.conversations.where('userId').equals(id).first()) ??
    (await db.conversations.where('matchId').equals(id).first());
  if (known) return known.id;
  const summary = await fetchSummary(id);
  if (summary) await storeSummaries(db, [summary]);
  return summary?.id ?? null;
}

/** Null when there is no such conversation. */
async function fetchSummary(id: string): Promise<ConversationSummary | null> {
  try {
    return await unwrap(api.GET('/api/conversations/with/{id}', { params: { path: { id } } }));
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 422)) return null;
    throw error;
  }
}

/** Stores a conversation that the server returned outside of a sync. */
export const storeConversation = (db: HeartwardDb, summary: ConversationSummary) =>
  storeSummaries(db, [summary]);

const storeSummaries = (db: HeartwardDb, summaries: ConversationSummary[]) =>
  db.transact(['conversations'], async (tx) => {
    const merged: ConversationRow[] = [];
    for (const summary of summaries) merged.push(await mergeSummary(tx, summary));
    return merged;
  });

/** Forgets what is stored of a thread, never what waits to be sent. */
async function dropThread(db: HeartwardDb, conversationId: string): Promise<void> {
  await db.transaction('rw', db.messages, db.threads, async () => {
    await storedMessages(db, conversationId, 1e12).delete();
    await db.threads.delete(conversationId);
  });
}

/** The server shows the conversation no more: the two have parted, and with it goes the other member. */
export async function removeConversation(db: HeartwardDb, conversationId: string): Promise<void> {
  const row = await db.conversations.get(conversationId);
  if (row) await purgeParted(db, row.userId);
  else await dropThread(db, conversationId);
}
