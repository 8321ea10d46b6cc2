import { describe, expect, it } from 'vitest';
import { MESSAGE_DEFAULTS, type MessageRow } from '@/offline/store/rows.ts';
import { threadItems, tickOf } from './thread.ts';

const row = (
  seq: number | null,
  minute: number,
  senderId = 'them',
  state: MessageRow['state'] = 'stored',
): MessageRow => ({
  id: null,
  clientId: `c${seq ?? minute}`,
  conversationId: 'c',
  seq,
  order: seq ?? 1e12,
  senderId,
  content: '',
  messageType: 'text',
  sentAt: new Date(2026, 10, 20, 12, minute).toISOString(),
  readAt: null,
  ...MESSAGE_DEFAULTS,
  state,
});
const receipts = { peerReadSeq: 2, peerDeliveredSeq: 3 };

it('shows clock, one tick, two ticks, filled ticks', () => {
  const ticks = [
    row(null, 0, 'me', 'waiting'),
    row(null, 0, 'me', 'failed'),
    row(4, 0),
    row(3, 0),
    row(2, 0),
  ];
  expect(ticks.map((one) => tickOf(one, receipts))).toEqual([
    'waiting',
    'failed',
    'sent',
    'delivered',
    'read',
  ]);
});

describe('a thread', () => {
  it('begins with its opening, where its first message is loaded or there is none yet', () => {
    const types = (...rows: MessageRow[]) =>
      threadItems(rows, 'me', receipts, null, true).map((item) => item.type);
    expect(types()).toEqual(['opening']);
    expect(types(row(1, 0))).toEqual(['opening', 'day', 'message']);
    expect(types(row(null, 0, 'me', 'waiting')), 'only a message that waits').toEqual([
      'opening',
      'day',
      'message',
    ]);
    expect(types(row(7, 0)), 'older messages are not loaded').toEqual(['day', 'message']);
  });

  it('groups runs of one member within five minutes and starts each day with its date', () => {
    const rows = [row(1, 0), row(2, 4), row(3, 9), row(4, 10, 'me'), row(5, 24 * 60)];
    const items = threadItems(rows, 'me', receipts, null);
    expect(items.map((item) => (item.type === 'message' ? [item.first, item.last] : item.type))).toEqual([
      'day',
      [true, false],
      [false, true],
      [true, true],
      [true, true],
      'day',
      [true, true],
    ]);
  });

  it('has one divider, before the first unread message of the other member', () => {
    const rows = [row(1, 0), row(2, 1, 'me'), row(3, 2), row(4, 3)];
    const types = threadItems(rows, 'me', receipts, 1).map((item) => item.type);
    expect(types).toEqual(['day', 'message', 'message', 'unread', 'message', 'message']);
  });
});

it('counts the new messages that are missing before the first row', () => {
  const unread = (rows: MessageRow[], after: number) =>
    threadItems(rows, 'me', receipts, after).find((item) => item.type === 'unread');
  expect(unread([row(8, 0), row(9, 1)], 3)).toMatchObject({ earlier: 4 });
  expect(unread([row(8, 0, 'me'), row(9, 1)], 3), 'a reply of the member does not hide them').toMatchObject({
    earlier: 4,
  });
  expect(unread([row(3, 0), row(4, 1)], 3)).toMatchObject({ earlier: 0 });
});
