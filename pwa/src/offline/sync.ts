/**
 * Catching up with the server. Events are hints; what was missed comes from
 * here: which conversations changed (GET /api/sync), then per conversation the
 * messages after the last one held.
 */
import { ApiError, api, unwrap } from '../api/client.ts';
import type { ConversationSummary, Message } from '../api/types.ts';
import type { HeartwardDb } from './db.ts';
import { partedFrom } from './forget.ts';
import { MERGE_TABLES, mergeChanges, mergePage, mergeSummary } from './merge.ts';
import { enqueue, outboxTables } from './outbox.ts';
import { storedOf, withRoom } from './room.ts';
import type { ConversationRow } from './rows.ts';

const PAGE = 50;
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
  let behind = true;
  let unlisted = new Set<string>();
  for (;;) {
    const cursor = (await db.meta.get('syncCursor'))?.value as string | undefined;
    const page = await unwrap(
      api.GET('/api/sync', { params: { query: cursor ? { cursor } : {} } }).catch(forget(db)),
    );
    // Without a cursor the server lists what is there and cannot name what is gone.
    if (!cursor) unlisted = new Set(await db.conversations.toCollection().primaryKeys());
    const rows = await withRoom(db, () => takeSummaries(db, page.conversations));
    for (const { id } of rows) unlisted.delete(id);
    for (const id of page.removed) await removeConversation(db, id);
    // A new device fetches the threads of its first page for reading offline; others when opened.
    if (behind) await catchUp(db, rows);
    behind = cursor !== undefined;
    // Only now: a crash before this repeats the page, which is harmless.
    await db.meta.put({ key: 'syncCursor', value: page.cursor });
    if (!page.hasMore) break;
  }
  for (const id of unlisted) await fetchDelta(db, id);
}

/** A cursor the server no longer takes is dropped, so that the next try starts afresh. */
function forget(db: HeartwardDb) {
  return async (error: unknown): Promise<never> => {
    if (error instanceof ApiError && error.status === 422) await db.meta.delete('syncCursor');
    throw error;
  };
}

async function catchUp(db: HeartwardDb, rows: ConversationRow[]): Promise<void> {
  const queue = [...rows];
  const worker = async () => {
    for (let row = queue.shift(); row; row = queue.shift()) {
      const thread = await db.threads.get(row.id);
      if ((thread?.lastSeq ?? 0) < row.lastSeq) await fetchDelta(db, row.id, row.lastSeq);
      if (thread && (thread.rev ?? 0) < row.lastRev) await fetchChanges(db, row.id);
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
    // Known before the page is asked for: what changes meanwhile is told again, and nothing is missed.
    const rev = (await db.conversations.get(conversationId))?.lastRev ?? 0;
    const far = thread && upTo < Number.MAX_SAFE_INTEGER && upTo - thread.lastSeq > FAR_BEHIND;
    if (!thread || far) {
      const page = await messages(conversationId, {});
      // Only now: without an answer the old messages are still there to be read.
      await (far ? takeAfresh(db, conversationId, page, rev) : take(db, page, rev));
    } else {
      for (let last = thread.lastSeq; last < upTo; ) {
        const page = await messages(conversationId, { after: last });
        await take(db, page);
        if (page.length < PAGE) break;
        last = page[page.length - 1]?.seq ?? upTo;
      }
    }
    await noteDelivered(db, conversationId);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    await removeConversation(db, conversationId);
  }
}

/** A page of messages, as the server gives it. */
export const messages = (
  otherId: string,
  range: { after?: number; before?: number },
  limit = PAGE,
): Promise<Message[]> =>
  unwrap(api.GET('/api/messages/{otherId}', { params: { path: { otherId }, query: { ...range, limit } } }));

/** Stores a page that touches what is held. */
export const take = (db: HeartwardDb, page: Message[], rev?: number) =>
  withRoom(db, () => db.transact(MERGE_TABLES, (tx) => mergePage(tx, db.memberId, page, rev)));

/** Stores a page in place of all that was held; in one step, else an older page could come in between. */
const takeAfresh = (db: HeartwardDb, conversationId: string, page: Message[], rev: number) =>
  withRoom(db, () =>
    db.transaction('rw', MERGE_TABLES, async () => {
      await dropThread(db, conversationId);
      await db.transact(MERGE_TABLES, (tx) => mergePage(tx, db.memberId, page, rev));
    }),
  );

/** Fetches what was changed in a thread that is held: reactions, deletions. */
export async function fetchChanges(db: HeartwardDb, conversationId: string): Promise<void> {
  for (;;) {
    const thread = await db.threads.get(conversationId);
    if (!thread) return;
    const after = thread.rev ?? 0;
    // As above: what the list said before is covered by an answer that came after it.
    const upTo = (await db.conversations.get(conversationId))?.lastRev ?? 0;
    const page = await unwrap(
      api.GET('/api/conversations/{id}/changes', {
        params: { path: { id: conversationId }, query: { after, limit: PAGE } },
      }),
    );
    const last = page.length < PAGE;
    await db.transact(MERGE_TABLES, (tx) => mergeChanges(tx, conversationId, page, last ? upTo : 0));
    if (last) return;
  }
}

/** Tells the other side that their messages reached this device; stored first, like every write. */
export async function noteDelivered(db: HeartwardDb, conversationId: string): Promise<void> {
  await db.transaction('rw', [...outboxTables(db), db.conversations, db.threads], async () => {
    const row = await db.conversations.get(conversationId);
    const thread = await db.threads.get(conversationId);
    if (!row || !thread || thread.lastSeq <= row.deliveredSeq) return;
    await db.conversations.update(conversationId, { deliveredSeq: thread.lastSeq });
    await enqueue({ kind: 'receipt', conversationId, deliveredSeq: thread.lastSeq });
  });
}

/** The member saw the conversation up to `seq`. What is shown as read here and what the server hears go together. */
export async function markRead(db: HeartwardDb, conversationId: string, seq: number): Promise<void> {
  await db.transaction('rw', [...outboxTables(db), db.conversations], async () => {
    const row = await db.conversations.get(conversationId);
    if (!row || (seq <= row.readSeq && row.unreadCount === 0)) return;
    const readSeq = Math.max(seq, row.readSeq);
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
  try {
    const summary = await unwrap(api.GET('/api/conversations/with/{id}', { params: { path: { id } } }));
    await takeSummaries(db, [summary]);
    return summary.id;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 422)) return null;
    throw error;
  }
}

/** Takes in a conversation that the server told of outside of a sync. */
export const takeConversation = (db: HeartwardDb, summary: ConversationSummary) =>
  takeSummaries(db, [summary]);

const takeSummaries = (db: HeartwardDb, summaries: ConversationSummary[]) =>
  db.transact(['conversations'], async (tx) => {
    const merged: ConversationRow[] = [];
    for (const summary of summaries) merged.push(await mergeSummary(tx, summary));
    return merged;
  });

/** Forgets what is stored of a thread, never what waits to be sent. */
async function dropThread(db: HeartwardDb, conversationId: string): Promise<void> {
  await db.transaction('rw', db.messages, db.threads, async () => {
    await storedOf(db, conversationId, 1e12).delete();
    await db.threads.delete(conversationId);
  });
}

/** The server shows the conversation no more: the two have parted, and with it goes the other member. */
export async function removeConversation(db: HeartwardDb, conversationId: string): Promise<void> {
  const row = await db.conversations.get(conversationId);
  if (row) await partedFrom(db, row.userId);
  else await dropThread(db, conversationId);
}
