/** Makes rows of the outbox, and the message rows shown for them, in page and service worker. */
import { MAX_READ_NOTIFICATIONS_ITEMS } from '@/api/limits.gen.ts';
import {
  MESSAGE_DEFAULTS,
  type MessageRow,
  type NotificationsRead,
  type OutboxBody,
  type OutboxRow,
  type TextsOfProfile,
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
  if (!waiting) return row;
  const body = combineBodies(waiting.body, row.body);
  if (waiting.state === 'failed') return row.kind === 'profileTexts' ? { ...row, body } : row;
  const isLocked = waiting.retryAfterLocked && !waiting.isHeld;
  return {
    ...waiting,
    body,
    revision: waiting.revision + 1,
    nextAt: isLocked ? waiting.nextAt : 0,
    retryAfterLocked: isLocked,
    isHeld: false,
  };
}

/** Returns the row to send after `delayMs`, however often the outbox is sent before. */
export const holdRow = (row: OutboxRow, delayMs: number): OutboxRow => ({
  ...row,
  nextAt: Math.max(row.nextAt, Date.now() + delayMs),
  waitMs: delayMs,
  retryAfterLocked: true,
  isHeld: true,
});

/** Returns a row into which a newer body was merged while `sent` was sent: it is due, unless the member is still writing. */
export function afterSending(row: OutboxRow, sent: OutboxRow): OutboxRow {
  const due: OutboxRow = { ...row, state: 'queued', nextAt: row.isHeld ? row.nextAt : 0, attempts: 0 };
  if (row.body.kind !== 'profileTexts' || sent.body.kind !== 'profileTexts') return due;
  // The server's texts are now those that were sent.
  return { ...due, body: { ...row.body, before: { ...row.body.before, ...withoutVoices(sent.body.texts) } } };
}

const withoutVoices = ({ prompts, ...texts }: TextsOfProfile): TextsOfProfile => ({
  ...texts,
  ...(prompts && { prompts: prompts.map(({ question, answer }) => ({ question, answer })) }),
});

/** Returns the union of two receipts, of changed settings, answers and read notifications, and of anything else the newer body. */
function combineBodies(old: OutboxBody, next: OutboxBody): OutboxBody {
  if (old.kind === 'settings' && next.kind === 'settings')
    return { kind: 'settings', patch: { ...old.patch, ...next.patch } };
  if (old.kind === 'start' && next.kind === 'start')
    return { kind: 'start', answers: { ...old.answers, ...next.answers } };
  if (old.kind === 'profileTexts' && next.kind === 'profileTexts')
    return { ...next, before: { ...next.before, ...old.before } };
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
