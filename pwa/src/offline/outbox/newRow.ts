/** Makes rows of the outbox, and the message rows shown for them, in page and service worker. */
import { MAX_READ_NOTIFICATIONS_ITEMS } from '@/api/limits.gen.ts';
import {
  MESSAGE_DEFAULTS,
  type MessageRow,
  type NotificationsRead,
  type OutboxBody,
  type OutboxRow,
  WAITING_ORDER,
} from '../store/rows.ts';

type Identity = Pick<OutboxRow, 'clientId' | 'userId' | 'conversationId' | 'localSeq'>;

export const newRow = (identity: Identity, body: OutboxBody): OutboxRow => ({
  ...identity,
  kind: body.kind,
  body,
  state: 'queued',
  attempts: 0,
  nextAt: 0,
  retryAfterLocked: false,
  createdAt: Date.now(),
  revision: 0,
});

/**
 * Returns the row to store if a row with the same id may be waiting: the waiting row with the combined body, due at once
 * unless the server has set its delay.
 */
export function combineRows(waiting: OutboxRow | undefined, row: OutboxRow): OutboxRow {
  if (!waiting || waiting.state === 'failed') return row;
  return {
    ...waiting,
    body: combineBodies(waiting.body, row.body),
    revision: waiting.revision + 1,
    nextAt: waiting.retryAfterLocked ? waiting.nextAt : 0,
  };
}

/** Returns the union of two receipts, of changed settings and of read notifications, and of anything else the newer body. */
function combineBodies(old: OutboxBody, next: OutboxBody): OutboxBody {
  if (old.kind === 'settings' && next.kind === 'settings')
    return { kind: 'settings', patch: { ...old.patch, ...next.patch } };
  if (old.kind === 'notificationsRead' && next.kind === 'notificationsRead') return combineRead(old, next);
  if (old.kind !== 'receipt' || next.kind !== 'receipt') return next;
  const deliveredSeq = Math.max(old.deliveredSeq ?? 0, next.deliveredSeq ?? 0);
  const readSeq = Math.max(old.readSeq ?? 0, next.readSeq ?? 0);
  return { kind: 'receipt', ...(deliveredSeq && { deliveredSeq }), ...(readSeq && { readSeq }) };
}

function combineRead(old: NotificationsRead, next: NotificationsRead): NotificationsRead {
  const until = [old.until, next.until].filter((time) => time !== null).sort();
  const items = new Map([...old.items, ...next.items].map((item) => [item.id, item]));
  return {
    kind: 'notificationsRead',
    items: [...items.values()].slice(-MAX_READ_NOTIFICATIONS_ITEMS),
    until: until.at(-1) ?? null,
  };
}

type Content = Pick<MessageRow, 'content' | 'messageType'> &
  Partial<Pick<MessageRow, 'replyTo' | 'attachments'>>;

/** Returns the message row of a message that waits to be sent. */
export const waitingMessage = (
  row: OutboxRow & { conversationId: string },
  content: Content,
): MessageRow => ({
  ...MESSAGE_DEFAULTS,
  ...content,
  id: null,
  clientId: row.clientId,
  conversationId: row.conversationId,
  seq: null,
  order: WAITING_ORDER + row.localSeq,
  senderId: row.userId,
  sentAt: new Date(row.createdAt).toISOString(),
  readAt: null,
  state: 'waiting',
});
