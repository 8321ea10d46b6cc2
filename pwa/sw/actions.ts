/**
 * The actions on a notification that do not open the app. A reply and a receipt go through the outbox: they are stored
 * first, and sent now or when the device is online.
 */
import { v7 as uuidv7 } from 'uuid';
import { MAX_SEND_MESSAGE_CONTENT } from '../src/api/limits.gen.ts';
import { readDeviceMember } from '../src/offline/device/marker.ts';
import { storeReply } from '../src/offline/device/notificationReply.ts';
import { SYNC_TAG } from '../src/offline/outbox/lock.ts';
import { combineRows, newRow, waitingMessage } from '../src/offline/outbox/newRow.ts';
import { mergeReceipt } from '../src/offline/store/merge.ts';
import type { Tx } from '../src/offline/store/tx.ts';
import { type MemberDb, withMember } from './idb.ts';
import { drainFor, notifyPages } from './outbox.ts';
import { type Conversation, lowerBadge, type NotificationData, openFromNotification } from './push.ts';

declare const self: ServiceWorkerGlobalScope;

export async function handleAction(
  action: string,
  reply: string,
  notification: TappedNotification,
): Promise<void> {
  const { path = '/', member, conversation } = dataOf(notification);
  const text = reply.trim();
  const deviceMember = await readDeviceMember();
  const isPossible =
    conversation &&
    deviceMember &&
    deviceMember === member &&
    (action === 'read' || (action === 'reply' && text));
  // A tap on the body, a browser without text input, or another member's notification.
  if (!isPossible) return openFromNotification(member && member !== deviceMember ? '/' : path);
  const replyText = action === 'reply' ? text : null;
  const isTooLong = text.length > MAX_SEND_MESSAGE_CONTENT;
  const done =
    !isTooLong && (await withMember((db) => performAction(db, conversation, replyText, notification)));
  if (done) return;
  // The text is too long, the app is upgrading or the device is full: the app opens with the text as a draft.
  if (replyText) await storeReply({ member, conversationId: conversation.id, text: replyText });
  await openFromNotification(path);
}

type TappedNotification = Pick<Notification, 'title' | 'data'>;
const dataOf = ({ data }: TappedNotification) => (data ?? {}) as Partial<NotificationData>;

/** Stores an action and sends it. Returns false if it could not be stored. */
async function performAction(
  db: MemberDb,
  conversation: Conversation,
  replyText: string | null,
  notification: TappedNotification,
): Promise<boolean> {
  const clientId = await storeRows(db, conversation, replyText);
  if (!clientId) return false;
  await lowerBadge(db);
  await notifyPages(db.memberId, []);
  await send(db);
  if (replyText !== null) await reportIfRejected(db, clientId, notification);
  return true;
}

/** Returns the id of the outbox row, or null if it could not be stored. */
function storeRows(db: MemberDb, conversation: Conversation, text: string | null): Promise<string | null> {
  const { memberId } = db;
  const stored = db.transact(['outbox', 'messages', 'conversations'], async (tx) => {
    const rows = await tx.all('outbox');
    const localSeq = rows.reduce((last, row) => Math.max(last, row.localSeq), 0) + 1;
    const receipt = await writeReceipt(tx, memberId, conversation, localSeq);
    return text === null ? receipt : writeText(tx, memberId, conversation, text, localSeq + 1);
  });
  return stored.catch(() => null);
}

async function writeReceipt(
  tx: Tx,
  userId: string,
  { id: conversationId, seq }: Conversation,
  localSeq: number,
): Promise<string> {
  const clientId = `receipt:${conversationId}`;
  const identity = { clientId, userId, conversationId, localSeq };
  const row = newRow(identity, { kind: 'receipt', readSeq: seq });
  await tx.put('outbox', combineRows(await tx.get('outbox', clientId), row));
  await mergeReceipt(tx, userId, { conversationId, by: userId, readSeq: seq });
  return clientId;
}

async function writeText(
  tx: Tx,
  userId: string,
  { id: conversationId, peerId: recipientId }: Conversation,
  content: string,
  localSeq: number,
): Promise<string> {
  const clientId = uuidv7();
  const identity = { clientId, userId, conversationId, localSeq };
  const row = newRow(identity, { kind: 'message', recipientId, content, messageType: 'text' });
  await tx.put('outbox', row);
  await tx.put('messages', waitingMessage({ ...row, conversationId }, { content, messageType: 'text' }));
  return clientId;
}

/** Sends now, or by Background Sync when online; without Background Sync, when the app is opened. */
async function send(db: MemberDb): Promise<void> {
  try {
    await drainFor(db);
  } catch {
    const { sync } = self.registration as ServiceWorkerRegistration & {
      sync?: { register: (tag: string) => Promise<void> };
    };
    await sync?.register(SYNC_TAG).catch(() => undefined);
  }
}

/** Shows a notification if the server rejected the reply, which otherwise only its conversation would show. */
async function reportIfRejected(
  db: MemberDb,
  clientId: string,
  notification: TappedNotification,
): Promise<void> {
  const row = await db.transact(['outbox'], (tx) => tx.get('outbox', clientId));
  if (row?.state !== 'failed') return;
  const { path = '/' } = dataOf(notification);
  await self.registration.showNotification('Your answer was not sent', {
    body: `${notification.title}: open the conversation to see why.`,
    tag: `rejected-${clientId}`,
    icon: '/icons/icon-192.png',
    data: { path, member: db.memberId } satisfies NotificationData,
  });
}
