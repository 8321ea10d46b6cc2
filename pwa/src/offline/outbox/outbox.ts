/**
 * The outbox, in the page. A write of the member is stored first, shown at once as waiting, and sent by `kick` or by the
 * worker's Background Sync.
 *
 *   await enqueue({ kind: 'message', conversationId, recipientId, content })
 *   … with `files`, which are stored with the message and uploaded before it
 *   await enqueue({ kind: 'reaction', conversationId, seq, emoji or null }) / ({ kind: 'delete', conversationId, seq })
 *   await enqueue({ kind: 'like', toUserId, likeType, comment?, photoId? or prompt? })
 *   await enqueue({ kind: 'pass', targetUserId }) / ({ kind: 'unpass', targetUserId, passId? }), which undoes it
 *   await enqueue({ kind: 'postLike', postId, liked }) / ({ kind: 'comment', postId, content, parentId? })
 *   await enqueue({ kind: 'settings', patch }) / ({ kind: 'seen', matchId }) / ({ kind: 'showPictures', conversationId })
 *   await enqueue({ kind: 'unmatch', matchId, userId }), with `holdMs`, in which it can be taken back
 *   await enqueue({ kind: 'pulse', editId, date, timeZone, question, mood, reflection, editedAt })
 *   await enqueue({ kind: 'notificationsRead', items, until })
 *   await enqueue({ kind: 'document', path, body, key, editedAt }), a document of a feature
 *   await enqueue({ kind: 'profileTexts', texts, before }), with `holdMs` while the member is writing
 *   await enqueue({ kind: 'start', answers }), of the guided first run
 *   await enqueue({ kind: 'share', momentId, channel }), which counts a share
 *   await enqueue({ kind: 'badge', badgeId }), which closes its celebration
 *
 * To change other tables in the same transaction, open it around the call with
 * `outboxTables(db)` among its tables. `onSettled` reports the result of each row.
 */

import Dexie from 'dexie';
import { v7 as uuidv7 } from 'uuid';
import { sessionRefused } from '@/base/events.ts';
import { deviceMember } from '@/base/storage.ts';
import { deleteRecording } from '../store/chunks.ts';
import { getDb, type HeartwardDb, rereadTables } from '../store/db.ts';
import { putFile } from '../store/fileRows.ts';
import { cacheEntries } from '../store/pageCache.ts';
import { withQuotaRetry } from '../store/quota.ts';
import type {
  BadgeClosed,
  DocumentEdit,
  LikeBody,
  LocalAttachment,
  MatchSeen,
  MessageChange,
  MomentShare,
  NewComment,
  NotificationsRead,
  OutboxBody,
  PostLike,
  ProfileTexts,
  PulseEdit,
  SettingsChange,
  StartAnswers,
  Unmatch,
  Unpass,
} from '../store/rows.ts';
import { START_ROW } from '../store/rows.ts';
import { onWipe } from '../store/teardown.ts';
import { asAttachment } from './attachments.ts';
import type { drain as Drain, DrainEnv, Settled } from './drain.ts';
import { readInterrupted, record, removeInterrupted, whileRecorded } from './interrupted.ts';
import { onTabMessage, postToTabs, SYNC_TAG, withOutboxLock } from './lock.ts';
import { combineRows, holdRow, newRow, waitingMessage } from './newRow.ts';

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
  | MatchSeen
  | Unmatch
  | BadgeClosed
  | MomentShare
  | { kind: 'showPictures'; conversationId: string }
  | NotificationsRead
  | PulseEdit
  | PostLike
  | NewComment
  | DocumentEdit
  | ProfileTexts
  | StartAnswers;

/** A picture or recording with its bytes. Storing it deletes the chunks of the recording in the same transaction. */
export type NewFile = { file: LocalAttachment; blob: Blob; poster: Blob | null; recordingId?: string };

export const outboxTables = (db: HeartwardDb) => [
  db.outbox,
  db.messages,
  db.drafts,
  db.files,
  db.blobs,
  db.chunks,
];

/**
 * Stores the item (one transaction) and starts sending. Resolves, with its id, once it is stored. With `holdMs` it is sent
 * no earlier than that, unless it is enqueued again without.
 */
export async function enqueue(item: OutboxItem, { holdMs }: { holdMs?: number } = {}): Promise<string> {
  const db = getDb();
  const clientId = rowIdOf(item);
  const write = () =>
    db.transaction('rw', outboxTables(db), async () => storeItem(db, item, clientId, holdMs));
  // Within the caller's transaction a failed write cannot be repeated alone; the whole transaction fails.
  if (Dexie.currentTransaction) await write();
  else await whileRecorded(db.memberId, clientId, item, holdMs, () => withQuotaRetry(db, write));
  // In a timer, so that the drain does not join an open transaction of the caller.
  setTimeout(() => {
    kick();
    void registerSync();
    // Some browsers show a prompt, which must follow an action of the member.
    if (item.kind !== 'receipt' && item.kind !== 'seen' && item.kind !== 'notificationsRead')
      void requestPersistence();
  });
  return clientId;
}

async function storeItem(
  db: HeartwardDb,
  item: OutboxItem,
  clientId: string,
  holdMs?: number,
): Promise<void> {
  // The next page may have stored it already (storeInterrupted).
  if (item.kind === 'message' && (await db.messages.get([db.memberId, clientId]))) return;
  const localSeq = ((await db.outbox.orderBy('localSeq').last())?.localSeq ?? 0) + 1;
  const conversationId = 'conversationId' in item ? item.conversationId : null;
  const identity = { clientId, userId: db.memberId, conversationId, localSeq };
  const row = combineRows(await db.outbox.get(clientId), newRow(identity, bodyOf(item)));
  await db.outbox.put(holdMs === undefined ? row : holdRow(row, holdMs));
  if (item.kind === 'message') {
    await storeFiles(db, item);
    const attachments = item.files?.map(({ file }) => asAttachment(file)) ?? [];
    const { content, replyTo = null } = item;
    const inConversation = { ...row, conversationId: item.conversationId };
    await db.messages.put(
      waitingMessage(inConversation, { content, messageType: messageTypeOf(item), replyTo, attachments }),
    );
    // A message with files keeps the draft of a text.
    if (!item.files) await db.drafts.delete(item.conversationId);
  }
}

/** Has the next page store an item that is enqueued soon, if this page is left before. Nothing if no member is signed in. */
export function recordUnstored(item: OutboxItem): void {
  const memberId = deviceMember();
  if (memberId) record(memberId, rowIdOf(item), item);
}

/** Stores the texts that the previous page had not stored when it was left. Until then those of messages are drafts. */
export async function storeInterrupted(db: HeartwardDb): Promise<void> {
  const interrupted = readInterrupted(db.memberId);
  if (!interrupted) return;
  for (const [clientId, item, holdMs] of interrupted)
    await withQuotaRetry(db, () =>
      db.transaction('rw', outboxTables(db), async () => storeItem(db, item, clientId, holdMs ?? undefined)),
    );
  removeInterrupted();
  kick();
}

type MessageItem = Extract<OutboxItem, { kind: 'message' }>;

const messageTypeOf = ({ files }: MessageItem) => files?.[0]?.file.kind ?? 'text';

async function storeFiles(db: HeartwardDb, { conversationId, files = [] }: MessageItem): Promise<void> {
  for (const { file, blob, poster, recordingId } of files) {
    const { localId: id, bytes } = file;
    await putFile(db, { id, conversationId, keep: 'unsent', blob, poster, bytes });
    if (recordingId) await deleteRecording(db, recordingId);
  }
}

/** The id of the one row with changed settings. */
export const SETTINGS_ROW = 'settings';

/** The id of the row with the answer of a day. */
export const pulseRow = (date: string) => `pulse:${date}`;

/** The id of the row with the document of a path. */
export const documentRow = (path: string) => `document:${path}`;

/** The id of the one row with read notifications. */
export const NOTIFICATIONS_ROW = 'notificationsRead';

/** The id of the row that ends the match with a member. */
export const unmatchRow = (userId: string) => `unmatch:${userId}`;

/** The id of the one row with texts of the own profile. */
export const PROFILE_TEXTS_ROW = 'profileTexts';

/** Returns the id of the item's row. Items that replace an earlier unsent one have a fixed id. */
function rowIdOf(item: OutboxItem): string {
  switch (item.kind) {
    case 'receipt':
    case 'showPictures':
      return `${item.kind}:${item.conversationId}`;
    case 'reaction':
    case 'delete':
      return `${item.kind}:${item.conversationId}:${item.seq}`;
    case 'settings':
      return SETTINGS_ROW;
    case 'profileTexts':
      return PROFILE_TEXTS_ROW;
    case 'start':
      return START_ROW;
    case 'notificationsRead':
      return NOTIFICATIONS_ROW;
    case 'seen':
      return `seen:${item.matchId}`;
    case 'unmatch':
      return unmatchRow(item.userId);
    case 'pulse':
      return pulseRow(item.date);
    case 'postLike':
      return `postLike:${item.postId}`;
    case 'badge':
      return `badge:${item.badgeId}`;
    case 'document':
      return documentRow(item.path);
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
      messageType: messageTypeOf(item),
      ...(replyTo && { replyTo }),
      ...(attachments && { attachments }),
    };
  }
  if (!('conversationId' in item)) return item;
  const { conversationId: _, ...body } = item;
  return body;
}

const listeners = new Set<(result: Settled) => void>();

/**
 * Calls the listener with the result of each row, sent by any tab or by the worker. Nothing is sent before `setDrain`,
 * so a listener that is added earlier misses none. Returns a function that removes it.
 */
export function onSettled(listener: (result: Settled) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function report(result: Settled): void {
  for (const listener of listeners) listener(result);
}

let drain: typeof Drain | undefined;

/**
 * Sets the function that sends; until then rows wait. It is not needed for the first paint and loaded with the session.
 * It is not loaded on first use, because the device may then be offline.
 */
export function setDrain(send: typeof Drain): void {
  drain = send;
}

let draining = false;
let rerun: { eager: boolean } | null = null;
let stopped = false;
let paused = false;
/** Whether another tab is the leader, which sends. */
let isFollower = false;
let timer: ReturnType<typeof setTimeout> | undefined;
let notifyRowAdded: () => void = () => undefined;

/** Sends the rows that are due; with `eager` also those that wait for the end of their backoff. Cheap to call often. */
export function kick({ eager = false } = {}): void {
  notifyRowAdded();
  if (draining) rerun = { eager: eager || (rerun?.eager ?? false) };
  else void drainNow(eager);
}

async function drainNow(eager: boolean): Promise<void> {
  if (!drain || stopped || (paused && !eager)) return;
  const send = drain;
  draining = true;
  clearTimeout(timer);
  try {
    const db = getDb();
    if (isFollower) return postToTabs(db.scope, { kind: 'kick', eager });
    const result = await withOutboxLock(db.scope, () => send(envOf(db), eager));
    if (result === 'busy') {
      // The worker or the previous leader is sending. It is notified of the new row, and this tab tries again later.
      postToTabs(db.scope, { kind: 'kick', eager });
      timer = setTimeout(kick, 1000, { eager });
    } else {
      paused = result.unauthorized;
      if (paused) sessionRefused.emit();
      else if (result.nextAt !== null) timer = setTimeout(kick, timerMs(result.nextAt - Date.now()));
    }
  } catch (error) {
    if (!stopped) console.warn('The outbox could not be read; trying again', error);
    timer = setTimeout(kick, 5000);
  } finally {
    draining = false;
  }
  const next = rerun;
  rerun = null;
  if (next) void drainNow(next.eager);
}

/** Limits a delay to an hour, because the device's clock may be changed meanwhile. */
const timerMs = (ms: number) => Math.min(Math.max(0, ms), 3_600_000);

function envOf(db: HeartwardDb): DrainEnv {
  const entriesBefore = cacheEntries();
  return {
    memberId: db.memberId,
    transact: db.transact,
    fetch: (input, init) => fetch(input, init),
    upload: async (...args) => (await import('./upload.ts')).uploadFile(db, ...args),
    now: Date.now,
    random: Math.random,
    rowAdded: () =>
      new Promise((resolve) => {
        notifyRowAdded = resolve;
      }),
    // The page loses the lock in the back/forward cache. And the cookie may be another member's by now, whose session
    // must not send these rows.
    isStopped: () =>
      stopped || isFollower || cacheEntries() !== entriesBefore || deviceMember() !== db.memberId,
    onSettled: (result) => {
      report(result);
      postToTabs(db.scope, { kind: 'settled', results: [result] });
    },
  };
}

/**
 * Sends the outbox at the start and whenever sending may succeed: online, visible, a message of the worker. A follower
 * asks the leader to send, and reports its results. Returns a function that stops it.
 */
export function startOutbox(db: HeartwardDb, role: 'leader' | 'follower' = 'leader'): () => void {
  stopped = false;
  isFollower = role === 'follower';
  paused = false;
  const kickEagerly = () => kick({ eager: true });
  const kickIfVisible = () => document.visibilityState === 'visible' && kickEagerly();
  const onWorkerMessage = (event: MessageEvent) => {
    if (event.data?.type !== 'hw-outbox' || event.data.memberId !== db.memberId) return;
    rereadTables(db, ['outbox', 'messages', 'threads', 'conversations', 'files', 'posts']);
    for (const result of event.data.results as Settled[]) report(result);
    // Sends the rows that the worker could not send, because not every browser runs it again.
    kick();
  };
  addEventListener('online', kickEagerly);
  addEventListener('pageshow', kickEagerly);
  document.addEventListener('visibilitychange', kickIfVisible);
  navigator.serviceWorker?.addEventListener('message', onWorkerMessage);
  const stopListening = onTabMessage(db.scope, (message) => {
    if (message.kind === 'kick' && !isFollower) kick({ eager: message.eager });
    if (message.kind === 'settled' && isFollower) for (const result of message.results) report(result);
  });
  void storeInterrupted(db).catch(() => undefined);
  kickEagerly();
  return () => {
    stopped = true;
    clearTimeout(timer);
    notifyRowAdded();
    stopListening();
    removeEventListener('online', kickEagerly);
    removeEventListener('pageshow', kickEagerly);
    document.removeEventListener('visibilitychange', kickIfVisible);
    navigator.serviceWorker?.removeEventListener('message', onWorkerMessage);
  };
}

onWipe(() => {
  stopped = true;
  clearTimeout(timer);
  notifyRowAdded();
});

/** Lets the worker send after the app was closed, once online, in browsers with Background Sync. */
async function registerSync(): Promise<void> {
  const registration = (await navigator.serviceWorker?.getRegistration()) as
    | (ServiceWorkerRegistration & { sync?: { register: (tag: string) => Promise<void> } })
    | undefined;
  await registration?.sync?.register(SYNC_TAG).catch(() => undefined);
}

let persistenceRequested = false;
async function requestPersistence(): Promise<void> {
  if (persistenceRequested) return;
  persistenceRequested = true;
  await navigator.storage?.persist?.();
}
