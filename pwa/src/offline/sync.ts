/**
 * Catching up with the server. Events are hints; what was missed comes from
 * here: which conversations changed (GET /api/sync), then per conversation the
 * messages after the last one held.
 */
import { ApiError, api, unwrap } from '../api/client.ts';
import type { ConversationSummary, Message } from '../api/types.ts';
import type { HeartwardDb } from './db.ts';
import { MERGE_TABLES, mergePage, mergeSummary } from './merge.ts';
import { enqueue, outboxTables } from './outbox.ts';
import type { ConversationRow } from './rows.ts';

const PAGE = 50;
/** Further behind than this, the newest page is fetched afresh instead of all that lies between. */
const FAR_BEHIND = 300;
const PARALLEL = 4;

let running: Promise<void> | null = null;
let again = false;

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
    } while (again);
  })().finally(() => {
    running = null;
  });
  return running;
}

async function syncOnce(db: HeartwardDb): Promise<void> {
  let behind = true;
  for (;;) {
    const cursor = (await db.meta.get('syncCursor'))?.value as string | undefined;
    const page = await unwrap(
      api.GET('/api/sync', { params: { query: cursor ? { cursor } : {} } }).catch(forget(db)),
    );
    const rows = await db.transact(['conversations'], async (tx) => {
      const merged: ConversationRow[] = [];
      for (const summary of page.conversations) merged.push(await mergeSummary(tx, summary));
      return merged;
    });
    for (const id of page.removed) await removeConversation(db, id);
    // A new device fetches the threads of its first page for reading offline; others when opened.
    if (behind) await catchUp(db, rows);
    behind = cursor !== undefined;
    // Only now: a crash before this repeats the page, which is harmless.
    await db.meta.put({ key: 'syncCursor', value: page.cursor });
    if (!page.hasMore) return;
  }
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
      const held = (await db.threads.get(row.id))?.lastSeq ?? 0;
      if (held < row.lastSeq) await fetchDelta(db, row.id, row.lastSeq);
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
    const far = thread && upTo < Number.MAX_SAFE_INTEGER && upTo - thread.lastSeq > FAR_BEHIND;
    if (!thread || far) {
      const page = await messages(conversationId, {});
      // Only now: without an answer the old messages are still there to be read.
      if (far) await dropThread(db, conversationId);
      await take(db, page);
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

const messages = (otherId: string, range: { after?: number; before?: number }): Promise<Message[]> =>
  unwrap(
    api.GET('/api/messages/{otherId}', { params: { path: { otherId }, query: { ...range, limit: PAGE } } }),
  );

const take = (db: HeartwardDb, page: Message[]) =>
  db.transact(MERGE_TABLES, (tx) => mergePage(tx, db.memberId, page));

/** Fetches the page before the oldest message held. False when there is none. */
export async function fetchOlder(db: HeartwardDb, conversationId: string): Promise<boolean> {
  const thread = await db.threads.get(conversationId);
  if (!thread || thread.firstSeq <= 1) return false;
  const page = await messages(conversationId, { before: thread.firstSeq });
  // Descending, so that each touches the run that is already held.
  await db.transact(MERGE_TABLES, (tx) => mergePage(tx, db.memberId, page.reverse()));
  return page.length > 0;
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
    await takeSummary(db, summary);
    return summary.id;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 422)) return null;
    throw error;
  }
}

const takeSummary = (db: HeartwardDb, summary: ConversationSummary) =>
  db.transact(['conversations'], (tx) => mergeSummary(tx, summary));

const storedOf = (db: HeartwardDb, conversationId: string, below: number) =>
  db.messages
    .where('[conversationId+order]')
    .between([conversationId, 0], [conversationId, below], true, false);

/** Forgets what is stored of a thread, never what waits to be sent. */
async function dropThread(db: HeartwardDb, conversationId: string): Promise<void> {
  await db.transaction('rw', db.messages, db.threads, async () => {
    await storedOf(db, conversationId, 1e12).delete();
    await db.threads.delete(conversationId);
  });
}

async function removeConversation(db: HeartwardDb, conversationId: string): Promise<void> {
  await dropThread(db, conversationId);
  const waiting = await db.messages.where('[conversationId+order]').above([conversationId, 0]).first();
  if (waiting?.conversationId !== conversationId) await db.conversations.delete(conversationId);
}

const KEEP_MESSAGES = 500;
const KEEP_FEED_MS = 30 * 86_400_000;

/** Keeps the last 500 messages of a conversation and 30 days of feed; outbox and drafts never go. */
export async function prune(db: HeartwardDb, now = Date.now()): Promise<void> {
  await db.feed
    .where('fetchedAt')
    .below(now - KEEP_FEED_MS)
    .delete();
  await db.profiles
    .where('fetchedAt')
    .below(now - KEEP_FEED_MS)
    .delete();
  for (const thread of await db.threads.toArray()) {
    const firstSeq = thread.lastSeq - KEEP_MESSAGES + 1;
    if (thread.firstSeq >= firstSeq) continue;
    await db.transaction('rw', db.messages, db.threads, async () => {
      await storedOf(db, thread.conversationId, firstSeq).delete();
      await db.threads.update(thread.conversationId, { firstSeq });
    });
  }
}
