/** How page and service worker make rows of the outbox, and the bubbles of the messages among them. */
import {
  MESSAGE_DEFAULTS,
  type MessageRow,
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

/** Returns the row to store where one with the same id may wait: the waiting row with the newer body, due at once. */
export function combineRows(waiting: OutboxRow | undefined, row: OutboxRow): OutboxRow {
  if (!waiting || waiting.state === 'failed') return row;
  return {
    ...waiting,
    body: combineBodies(waiting.body, row.body),
    revision: waiting.revision + 1,
    nextAt: waiting.retryAfterLocked ? waiting.nextAt : 0,
  };
}

/** Receipts only rise; changed settings are collected; of everything else the last word is sent. */
function combineBodies(old: OutboxBody, next: OutboxBody): OutboxBody {
  if (old.kind === 'settings' && next.kind === 'settings')
    return { kind: 'settings', patch: { ...old.patch, ...next.patch } };
  if (old.kind !== 'receipt' || next.kind !== 'receipt') return next;
  const deliveredSeq = Math.max(old.deliveredSeq ?? 0, next.deliveredSeq ?? 0);
  const readSeq = Math.max(old.readSeq ?? 0, next.readSeq ?? 0);
  return { kind: 'receipt', ...(deliveredSeq && { deliveredSeq }), ...(readSeq && { readSeq }) };
}

type Content = Pick<MessageRow, 'content' | 'messageType'> &
  Partial<Pick<MessageRow, 'replyTo' | 'attachments'>>;

/** The bubble of a message that waits to be sent. */
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
