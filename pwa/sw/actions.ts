/**
 * What can be done on a notification without opening the app. An answer and a
 * receipt take the way of everything the member writes: they are stored first,
 * and sent now or when the network is back.
 */
import { v7 as uuidv7 } from 'uuid';
import { storeAnswer } from '../src/offline/device/answer.ts';
import { readDeviceMember } from '../src/offline/device/marker.ts';
import { SYNC_TAG } from '../src/offline/outbox/lock.ts';
import { combineRows, newRow, waitingMessage } from '../src/offline/outbox/newRow.ts';
import { mergeReceipt } from '../src/offline/store/merge.ts';
import type { Tx } from '../src/offline/store/rows.ts';
import { type MemberDb, withMember } from './idb.ts';
import { drainFor, tellPages } from './outbox.ts';
import { type Conversation, lowerBadge, type NoticeData, openFromNotification } from './push.ts';

declare const self: ServiceWorkerGlobalScope;

/** As the server takes it; a notification's field is seldom that long. */
const LONGEST = 4000;

export async function act(action: string, reply: string, notification: Notice): Promise<void> {
  const { path = '/', member, conversation } = dataOf(notification);
  const text = [...reply.trim()].slice(0, LONGEST).join('');
  const here = await readDeviceMember();
  const doable =
    conversation && here && here === member && (action === 'read' || (action === 'reply' && text));
  // A plain tap, a browser without a text field, or another member's notification.
  if (!doable) return openFromNotification(member && member !== here ? '/' : path);
  const answer = action === 'reply' ? text : null;
  const done = await withMember((db) => carryOut(db, conversation, answer, notification));
  if (done) return;
  // The app upgrades or the device is full: there the member can still do it, with the text in the field.
  if (answer) await storeAnswer({ member, conversationId: conversation.id, text: answer });
  await openFromNotification(path);
}

type Notice = Pick<Notification, 'title' | 'data'>;
const dataOf = ({ data }: Notice) => (data ?? {}) as Partial<NoticeData>;

/** Stores what was done and sends it; false when it could not be stored. */
async function carryOut(
  db: MemberDb,
  conversation: Conversation,
  answer: string | null,
  notification: Notice,
): Promise<boolean> {
  const clientId = await write(db, conversation, answer);
  if (!clientId) return false;
  await lowerBadge(db);
  await tellPages(db.memberId, []);
  await send(db);
  if (answer !== null) await tellIfRefused(db, clientId, notification);
  return true;
}

/** Answers with the id of the row, null when it could not be stored. */
function write(db: MemberDb, conversation: Conversation, text: string | null): Promise<string | null> {
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

/** Now, or when the browser finds the network back; without Background Sync, when the app is opened. */
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

/** An answer that the server does not take must not vanish with the notification. */
async function tellIfRefused(db: MemberDb, clientId: string, notification: Notice): Promise<void> {
  const row = await db.transact(['outbox'], (tx) => tx.get('outbox', clientId));
  if (row?.state !== 'failed') return;
  const { path = '/' } = dataOf(notification);
  await self.registration.showNotification('Your answer was not sent', {
    body: `${notification.title}: open the conversation to see why.`,
    tag: `refused-${clientId}`,
    icon: '/icons/icon-192.png',
    data: { path, member: db.memberId } satisfies NoticeData,
  });
}
