/**
 * The outbox, in the page. A write of the member is stored first, shown at once as waiting, and sent by the session's
 * sender (sender.ts) or by the worker's Background Sync.
 *
 *   await enqueue(db, { kind: 'message', conversationId, recipientId, content })
 *   … with `files`, which are stored with the message and uploaded before it
 *   await enqueue(db, { kind: 'reaction', conversationId, seq, emoji or null }) / ({ kind: 'delete', conversationId, seq })
 *   await enqueue(db, { kind: 'like', toUserId, likeType, comment?, photoId? or prompt? })
 *   await enqueue(db, { kind: 'pass', targetUserId }) / ({ kind: 'unpass', targetUserId, passId? }), which undoes it
 *   await enqueue(db, { kind: 'postLike', postId, liked }) / ({ kind: 'comment', postId, content, parentId? })
 *   await enqueue(db, { kind: 'settings', patch }) / ({ kind: 'seen', matchId }) / ({ kind: 'showPictures', conversationId })
 *   await enqueue(db, { kind: 'unmatch', matchId, userId }), with `holdMs`, in which it can be taken back
 *   await enqueue(db, { kind: 'pulse', editId, date, timeZone, question, mood, reflection, editedAt })
 *   await enqueue(db, { kind: 'notificationsRead', items, until })
 *   await enqueue(db, { kind: 'document', path, body, key, editedAt }), a document of a feature
 *   await enqueue(db, { kind: 'profileTexts', texts, before }), with `holdMs` while the member is writing
 *   await enqueue(db, { kind: 'profileFile', id, method, path, bytes }), a photo or recording of the own profile
 *   await enqueue(db, { kind: 'start', answers }), of the guided first run
 *   await enqueue(db, { kind: 'share', momentId, channel }), which counts a share
 *   await enqueue(db, { kind: 'badge', badgeId }), which closes its celebration
 *
 * To change other tables in the same transaction, open it around the call with
 * `outboxTables(db)` among its tables. `senderOf(db).onSettled` reports the result of each row.
 */

import Dexie from 'dexie';
import { v7 as uuidv7 } from 'uuid';
import { deleteRecording } from '../store/chunks.ts';
import type { HeartwardDb } from '../store/db.ts';
import { putFile } from '../store/fileRows.ts';
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
  ProfileFileDetails,
  ProfileFileRow,
  ProfileTexts,
  PulseEdit,
  SettingsChange,
  StartAnswers,
  Unmatch,
  Unpass,
} from '../store/rows.ts';
import { START_ROW } from '../store/rows.ts';
import { asAttachment } from './attachments.ts';
import { readInterrupted, removeInterrupted, unstoredOf } from './interrupted.ts';
import { SYNC_TAG } from './lock.ts';
import { combineRows, holdRow, newRow, waitingMessage } from './newRow.ts';
import { NO_UPLOAD } from './profileFileBody.ts';
import { senderOf } from './sender.ts';

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
  | NewProfileFile
  | StartAnswers;

/** A file of the own profile with its bytes, and the id of its row. */
export type NewProfileFile = { kind: 'profileFile' } & ProfileFileRow & ProfileFileDetails;

/** A picture or recording with its bytes. Storing it deletes the chunks of the recording in the same transaction. */
export type NewFile = { file: LocalAttachment; blob: Blob; poster: Blob | null; recordingId?: string };

export const outboxTables = (db: HeartwardDb) => [
  db.outbox,
  db.messages,
  db.drafts,
  db.files,
  db.blobs,
  db.chunks,
  db.profileFiles,
];

/**
 * Stores the item (one transaction) and starts sending. Resolves, with its id, once it is stored. With `holdMs` it is sent
 * no earlier than that, unless it is enqueued again without.
 */
export async function enqueue(
  db: HeartwardDb,
  item: OutboxItem,
  { holdMs }: { holdMs?: number } = {},
): Promise<string> {
  const clientId = rowIdOf(item);
  const write = () =>
    db.transaction('rw', outboxTables(db), async () => storeItem(db, item, clientId, holdMs));
  // Within the caller's transaction a failed write cannot be repeated alone; the whole transaction fails.
  if (Dexie.currentTransaction) await write();
  else await unstoredOf(db).whileRecorded(clientId, item, holdMs, () => withQuotaRetry(db, write));
  // In a timer, so that the drain does not join an open transaction of the caller.
  setTimeout(() => {
    const sender = senderOf(db);
    sender.kick();
    void registerSync();
    if (item.kind !== 'receipt' && item.kind !== 'seen' && item.kind !== 'notificationsRead')
      void sender.requestPersistence();
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
  if (item.kind === 'profileFile')
    await db.profileFiles.add({ id: item.id, bytes: item.bytes, poster: item.poster });
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

/** Has the next page store an item that is enqueued soon, if this page is left before. */
export function recordUnstored(db: HeartwardDb, item: OutboxItem): void {
  unstoredOf(db).record(rowIdOf(item), item);
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
  senderOf(db).kick();
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
    case 'profileFile':
      return item.id;
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
  if (item.kind === 'profileFile') {
    const { id, bytes: _, poster: __, ...details } = item;
    return { ...details, blobId: id, upload: NO_UPLOAD, posterUpload: NO_UPLOAD };
  }
  if (!('conversationId' in item)) return item;
  const { conversationId: _, ...body } = item;
  return body;
}

/** Stores what an earlier page has left, and starts sending. Returns a function that stops it. */
export function startOutbox(db: HeartwardDb, role: 'leader' | 'follower' = 'leader'): () => void {
  void storeInterrupted(db).catch(() => undefined);
  return senderOf(db).start(role);
}

/** Lets the worker send after the app was closed, once online, in browsers with Background Sync. */
async function registerSync(): Promise<void> {
  const registration = (await navigator.serviceWorker?.getRegistration()) as
    | (ServiceWorkerRegistration & { sync?: { register: (tag: string) => Promise<void> } })
    | undefined;
  await registration?.sync?.register(SYNC_TAG).catch(() => undefined);
}
