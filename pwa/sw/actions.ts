/**
 * What can be done on a notification without opening the app. An answer and a
 * receipt take the way of everything the member writes: they are stored first,
 * and sent now or when the network is back.
 */
import { v7 as uuidv7 } from 'uuid';
import { mergeReceipt } from '../src/offline/merge.ts';
import { SYNC_TAG } from '../src/offline/names.ts';
import { raiseReceipt } from '../src/offline/receipts.ts';
import { type OutboxBody, type OutboxRow, PLAIN, type Tx, WAITING_ORDER } from '../src/offline/rows.ts';
import { memberOnDevice, openExisting } from './idb.ts';
import { drainInWorker, tellPages } from './outbox.ts';
import { type Conversation, lowerBadge, type NoticeData, openFromNotification } from './push.ts';

declare const self: ServiceWorkerGlobalScope;

/** As the server takes it; a notification's field is seldom that long. */
const LONGEST = 4000;

export async function act(
  action: string,
  reply: string,
  { title, data }: Pick<Notification, 'title' | 'data'>,
): Promise<void> {
  const { path = '/', member, conversation } = (data ?? {}) as Partial<NoticeData>;
  const text = [...reply.trim()].slice(0, LONGEST).join('');
  const here = await memberOnDevice();
  const doable =
    conversation && here && here === member && (action === 'read' || (action === 'reply' && text));
  // A plain tap, a browser without a text field, or another member's notification.
  if (!doable) return openFromNotification(member && member !== here ? '/' : path);
  const clientId = await write(here, conversation, action === 'reply' ? text : null);
  // The app upgrades or was signed out meanwhile: there the member can still do it.
  if (!clientId) return openFromNotification(path);
  await lowerBadge();
  await tellPages(here, []);
  await send();
  if (action === 'reply') await tellIfRefused(here, clientId, title, path);
}

/** Stores what was done; answers with the id of its row, null when it could not be stored. */
async function write(
  member: string,
  conversation: Conversation,
  text: string | null,
): Promise<string | null> {
  const db = await openExisting(member);
  if (!db) return null;
  try {
    return await db.transact(['outbox', 'messages', 'conversations'], async (tx) => {
      const rows = await tx.all('outbox');
      const localSeq = rows.reduce((last, row) => Math.max(last, row.localSeq), 0) + 1;
      const receipt = await writeReceipt(tx, member, conversation, localSeq);
      return text === null ? receipt : await writeText(tx, member, conversation, text, localSeq + 1);
    });
  } catch {
    return null;
  } finally {
    db.close();
  }
}

async function writeReceipt(
  tx: Tx,
  member: string,
  { id, seq }: Conversation,
  localSeq: number,
): Promise<string> {
  const clientId = `receipt:${id}`;
  const body: OutboxBody = { kind: 'receipt', readSeq: seq };
  const waiting = await tx.get('outbox', clientId);
  await tx.put(
    'outbox',
    waiting
      ? { ...waiting, body: raiseReceipt(waiting.body, body), revision: waiting.revision + 1 }
      : rowOf(member, id, clientId, body, localSeq),
  );
  await mergeReceipt(tx, member, { conversationId: id, by: member, readSeq: seq });
  return clientId;
}

async function writeText(
  tx: Tx,
  member: string,
  { id, peerId }: Conversation,
  content: string,
  localSeq: number,
): Promise<string> {
  const clientId = uuidv7();
  const row = rowOf(
    member,
    id,
    clientId,
    { kind: 'message', recipientId: peerId, content, messageType: 'text' },
    localSeq,
  );
  await tx.put('outbox', row);
  await tx.put('messages', {
    ...PLAIN,
    id: null,
    clientId,
    conversationId: id,
    seq: null,
    order: WAITING_ORDER + localSeq,
    senderId: member,
    content,
    messageType: 'text',
    sentAt: new Date(row.createdAt).toISOString(),
    readAt: null,
    state: 'waiting',
  });
  return clientId;
}

const rowOf = (
  userId: string,
  conversationId: string,
  clientId: string,
  body: OutboxBody,
  localSeq: number,
): OutboxRow => ({
  clientId,
  userId,
  conversationId,
  localSeq,
  kind: body.kind,
  body,
  state: 'queued',
  attempts: 0,
  nextAt: 0,
  held: false,
  createdAt: Date.now(),
  revision: 0,
});

/** Now, or when the browser finds the network back; without Background Sync, when the app is opened. */
async function send(): Promise<void> {
  try {
    await drainInWorker();
  } catch {
    const { sync } = self.registration as ServiceWorkerRegistration & {
      sync?: { register: (tag: string) => Promise<void> };
    };
    await sync?.register(SYNC_TAG).catch(() => undefined);
  }
}

/** An answer that the server does not take must not vanish with the notification. */
async function tellIfRefused(member: string, clientId: string, title: string, path: string): Promise<void> {
  const db = await openExisting(member);
  const row = await db?.transact(['outbox'], (tx) => tx.get('outbox', clientId));
  db?.close();
  if (row?.state !== 'failed') return;
  await self.registration.showNotification('Your answer was not sent', {
    body: `${title}: open the conversation to see why.`,
    tag: `refused-${clientId}`,
    icon: '/icons/icon-192.png',
    data: { path, member } satisfies NoticeData,
  });
}
