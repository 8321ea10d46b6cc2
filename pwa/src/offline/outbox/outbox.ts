/**
 * The page's side of the outbox: what a member does is stored here first, shown
 * at once as waiting, and sent by `kick` or by the worker's Background Sync.
 *
 *   await enqueue({ kind: 'message', conversationId, recipientId, content })
 *   … with `files`, which are stored with it and travel before it
 *   await enqueue({ kind: 'reaction', conversationId, seq, emoji or null }) / ({ kind: 'delete', conversationId, seq })
 *   await enqueue({ kind: 'like', toUserId, likeType, comment?, photoId? or prompt? })
 *   await enqueue({ kind: 'pass', targetUserId }) / ({ kind: 'unpass', targetUserId, passId? }) which
 *   takes it back
 *   await enqueue({ kind: 'settings', patch }) / ({ kind: 'seen', matchId })
 *
 * To change other tables in the same transaction, open it around the call with
 * `outboxTables(db)` among its tables. `onSettled` announces how each row ended.
 */
import Dexie from 'dexie';
import { v7 as uuidv7 } from 'uuid';
import { deviceMember, storageKeys } from '@/session/storage.ts';
import { deleteRecording } from '../store/chunks.ts';
import { getDb, type HeartwardDb, rereadTables } from '../store/db.ts';
import { cacheEntries } from '../store/pageCache.ts';
import { withQuotaRetry } from '../store/quota.ts';
import type {
  LikeBody,
  LocalAttachment,
  MatchSeen,
  MessageChange,
  OutboxBody,
  SettingsChange,
  Unpass,
} from '../store/rows.ts';
import { onWipe } from '../store/teardown.ts';
import { asAttachment } from './attachments.ts';
import type { drain as Drain, DrainEnv, Settled } from './drain.ts';
import { onTabMessage, SYNC_TAG, tellTabs, withOutboxLock } from './lock.ts';
import { combineRows, newRow, waitingMessage } from './newRow.ts';

export type { Settled } from './drain.ts';
export type OutboxItem =
  | {
      kind: 'message';
      conversationId: string;
      recipientId: string;
      content: string;
      replyTo?: number;
      /** All of one kind: up to ten pictures, or one recording. */
      files?: NewFile[];
    }
  | (MessageChange & { conversationId: string })
  | ({ kind: 'like' } & LikeBody)
  | { kind: 'pass'; targetUserId: string }
  | Unpass
  | { kind: 'receipt'; conversationId: string; deliveredSeq?: number; readSeq?: number }
  | SettingsChange
  | MatchSeen;

/** A picture or recording with its bytes. Storing it deletes the chunks of the recording in the same transaction. */
export type NewFile = { file: LocalAttachment; blob: Blob; poster: Blob | null; recordingId?: string };

export const outboxTables = (db: HeartwardDb) => [db.outbox, db.messages, db.drafts, db.blobs, db.chunks];

/** Stores the item (one transaction) and starts sending. Resolves, with its id, once it is stored. */
export async function enqueue(item: OutboxItem): Promise<string> {
  const db = getDb();
  const clientId = rowIdOf(item);
  const write = () => db.transaction('rw', outboxTables(db), async () => store(db, item, clientId));
  // Within the caller's transaction nothing can be tried again: the caller's fails as a whole.
  if (Dexie.currentTransaction) await write();
  else await rememberUntilStored(clientId, item, () => withQuotaRetry(db, write));
  // Later, so that nothing of it joins a transaction that the caller has open.
  setTimeout(() => {
    kick();
    void registerSync();
    // Some browsers ask the member: only after something they did, never for a receipt.
    if (item.kind !== 'receipt' && item.kind !== 'seen') void requestPersistence();
  });
  return clientId;
}

async function store(db: HeartwardDb, item: OutboxItem, clientId: string): Promise<void> {
  // Stored already by the page that came after this one (startOutbox).
  if (item.kind === 'message' && (await db.messages.get([db.memberId, clientId]))) return;
  const localSeq = ((await db.outbox.orderBy('localSeq').last())?.localSeq ?? 0) + 1;
  const conversationId = 'conversationId' in item ? item.conversationId : null;
  const identity = { clientId, userId: db.memberId, conversationId, localSeq };
  const row = combineRows(await db.outbox.get(clientId), newRow(identity, bodyOf(item)));
  await db.outbox.put(row);
  if (item.kind === 'message') {
    await storeFiles(db, item);
    const attachments = item.files?.map(({ file }) => asAttachment(file)) ?? [];
    const { content, replyTo = null } = item;
    const identified = { ...row, conversationId: item.conversationId };
    await db.messages.put(
      waitingMessage(identified, { content, messageType: typeOf(item), replyTo, attachments }),
    );
    // A recording leaves the draft of a text in place.
    if (!item.files) await db.drafts.delete(item.conversationId);
  }
}

const storing = new Map<string, OutboxItem>();

/** A browser may cut the transactions of a page that is left: its texts are noted, and the next page stores them. */
async function rememberUntilStored(
  clientId: string,
  item: OutboxItem,
  write: () => Promise<void>,
): Promise<void> {
  if (item.kind === 'message' && !item.files) storing.set(clientId, item);
  try {
    await write();
  } finally {
    storing.delete(clientId);
  }
}

addEventListener('pagehide', () => {
  if (storing.size > 0) localStorage.setItem(storageKeys.storing, JSON.stringify([...storing]));
});

// Shown again, it stores them itself.
addEventListener('pageshow', ({ persisted }) => persisted && localStorage.removeItem(storageKeys.storing));

/** Stores what the page before this one was storing when it was left. Until then its texts are still drafts. */
export async function storeInterrupted(db: HeartwardDb): Promise<void> {
  const noted = localStorage.getItem(storageKeys.storing);
  if (!noted) return;
  for (const [clientId, item] of JSON.parse(noted) as [string, OutboxItem][])
    await withQuotaRetry(db, () =>
      db.transaction('rw', outboxTables(db), async () => store(db, item, clientId)),
    );
  localStorage.removeItem(storageKeys.storing);
  kick();
}

type MessageItem = Extract<OutboxItem, { kind: 'message' }>;

const typeOf = ({ files }: MessageItem) => files?.[0]?.file.kind ?? 'text';

async function storeFiles(db: HeartwardDb, { conversationId, files = [] }: MessageItem): Promise<void> {
  for (const { file, blob, poster, recordingId } of files) {
    const { localId: id, bytes } = file;
    await db.blobs.put({ id, conversationId, keep: 'unsent', blob, poster, bytes, usedAt: Date.now() });
    if (recordingId) await deleteRecording(db, recordingId);
  }
}

/** The id of the row of changed settings. */
export const SETTINGS_ROW = 'settings';

/** What can be said again before it is sent has one row. */
function rowIdOf(item: OutboxItem): string {
  switch (item.kind) {
    case 'receipt':
      return `receipt:${item.conversationId}`;
    case 'reaction':
    case 'delete':
      return `${item.kind}:${item.conversationId}:${item.seq}`;
    case 'settings':
      return SETTINGS_ROW;
    case 'seen':
      return `seen:${item.matchId}`;
    default:
      return uuidv7();
  }
}

function bodyOf(item: OutboxItem): OutboxBody {
  if (item.kind === 'message') {
    const { recipientId, content, replyTo, files } = item;
    const attachments = files?.map(({ file }) => file);
    return {
      kind: 'message',
      recipientId,
      content,
      messageType: typeOf(item),
      ...(replyTo && { replyTo }),
      ...(attachments && { attachments }),
    };
  }
  if (!('conversationId' in item)) return item;
  const { conversationId: _, ...body } = item;
  return body;
}

const listeners = new Set<(result: Settled) => void>();

/** Rows that ended before the first listener came: the page sends at once, while the rest of it still loads. */
let unheard: Settled[] = [];

/**
 * Calls the listener with how each row ended, in any tab or in the worker, including rows that ended before the first
 * listener came. Returns a function that stops it.
 */
export function onSettled(listener: (result: Settled) => void): () => void {
  listeners.add(listener);
  if (unheard.length > 0) {
    for (const result of unheard) listener(result);
    // Listeners that are added in the same turn receive them too.
    setTimeout(() => {
      unheard = [];
    });
  }
  return () => listeners.delete(listener);
}

function announce(result: Settled): void {
  if (listeners.size === 0) unheard.push(result);
  for (const listener of listeners) listener(result);
}

let drain: typeof Drain | undefined;

/**
 * Sets the function that sends; until then rows wait. The first paint does not need it, so it is loaded with the session,
 * and not on the first use, when the network may be away.
 */
export function setDrain(send: typeof Drain): void {
  drain = send;
}

let draining = false;
let again: { eager: boolean } | null = null;
let stopped = false;
let paused = false;
/** Another tab leads and sends. */
let following = false;
let timer: ReturnType<typeof setTimeout> | undefined;
let wake: () => void = () => undefined;

/** Sends what is due; eager: also what only waits out a backoff. Cheap to call often. */
export function kick({ eager = false } = {}): void {
  wake();
  if (draining) again = { eager: eager || (again?.eager ?? false) };
  else void drainNow(eager);
}

async function drainNow(eager: boolean): Promise<void> {
  if (!drain || stopped || (paused && !eager)) return;
  const send = drain;
  draining = true;
  clearTimeout(timer);
  try {
    const db = getDb();
    if (following) return tellTabs(db.memberId, { kind: 'kick', eager });
    const result = await withOutboxLock(db.memberId, () => send(envOf(db), eager));
    if (result === 'busy') {
      // The worker sends, or the tab that led before; it looks again when told, and this tab makes sure.
      tellTabs(db.memberId, { kind: 'kick', eager });
      timer = setTimeout(kick, 1000, { eager });
    } else {
      paused = result.unauthorized;
      if (paused) dispatchEvent(new Event('hw:unauthorized'));
      else if (result.nextAt !== null) timer = setTimeout(kick, timerMs(result.nextAt - Date.now()));
    }
  } catch (error) {
    if (!stopped) console.warn('The outbox could not be read; trying again', error);
    timer = setTimeout(kick, 5000);
  } finally {
    draining = false;
  }
  const next = again;
  again = null;
  if (next) void drainNow(next.eager);
}

/** At most an hour, because the device's clock may be set meanwhile. */
const timerMs = (ms: number) => Math.min(Math.max(0, ms), 3_600_000);

function envOf(db: HeartwardDb): DrainEnv {
  const entriesBefore = cacheEntries();
  return {
    memberId: db.memberId,
    transact: db.transact,
    fetch: (input, init) => fetch(input, init),
    upload: async (file) => (await import('./upload.ts')).uploadFile(db, file),
    now: Date.now,
    random: Math.random,
    woken: () =>
      new Promise((resolve) => {
        wake = resolve;
      }),
    // In the back/forward cache the page lost the lock. And the cookie may be another member's by now: never send
    // one's words as the other.
    stopped: () => stopped || following || cacheEntries() !== entriesBefore || deviceMember() !== db.memberId,
    settled: (result) => {
      announce(result);
      tellTabs(db.memberId, { kind: 'settled', results: [result] });
    },
  };
}

/**
 * Sends the outbox whenever something suggests that it may work. A follower asks the leading tab to send, and
 * announces how rows ended there. Returns a function that stops it.
 */
export function startOutbox(db: HeartwardDb, role: 'leader' | 'follower' = 'leader'): () => void {
  stopped = false;
  following = role === 'follower';
  paused = false;
  const eager = () => kick({ eager: true });
  const visible = () => document.visibilityState === 'visible' && eager();
  const fromWorker = (event: MessageEvent) => {
    if (event.data?.type !== 'hw-outbox' || event.data.memberId !== db.memberId) return;
    rereadTables(db, ['outbox', 'messages', 'threads', 'conversations', 'blobs']);
    for (const result of event.data.results as Settled[]) announce(result);
    // What it could not send is the page's now: not every browser lets the worker try again.
    kick();
  };
  addEventListener('online', eager);
  addEventListener('pageshow', eager);
  document.addEventListener('visibilitychange', visible);
  navigator.serviceWorker?.addEventListener('message', fromWorker);
  const stopHearing = onTabMessage(db.memberId, (message) => {
    if (message.kind === 'kick' && !following) kick({ eager: message.eager });
    if (message.kind === 'settled' && following) for (const result of message.results) announce(result);
  });
  void storeInterrupted(db).catch(() => undefined);
  eager();
  return () => {
    stopped = true;
    clearTimeout(timer);
    wake();
    stopHearing();
    removeEventListener('online', eager);
    removeEventListener('pageshow', eager);
    document.removeEventListener('visibilitychange', visible);
    navigator.serviceWorker?.removeEventListener('message', fromWorker);
  };
}

onWipe(() => {
  stopped = true;
  unheard = [];
  clearTimeout(timer);
  wake();
});

/** Lets the worker send when the network is back and the app is closed, where that exists. */
async function registerSync(): Promise<void> {
  const registration = (await navigator.serviceWorker?.getRegistration()) as
    | (ServiceWorkerRegistration & { sync?: { register: (tag: string) => Promise<void> } })
    | undefined;
  await registration?.sync?.register(SYNC_TAG).catch(() => undefined);
}

let asked = false;
async function requestPersistence(): Promise<void> {
  if (asked) return;
  asked = true;
  await navigator.storage?.persist?.();
}
