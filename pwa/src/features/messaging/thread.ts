import type { MessageRow } from '@/offline/store/rows.ts';

export type Tick = 'waiting' | 'failed' | 'sent' | 'delivered' | 'read';

type MessageItem = {
  type: 'message';
  key: string;
  row: MessageRow;
  mine: boolean;
  /** First and last of a run: messages by one member with less than RUN_MS between them. */
  first: boolean;
  last: boolean;
  /** Null for the other member's messages. */
  tick: Tick | null;
};
export type ThreadItem =
  | { type: 'opening'; key: string }
  | { type: 'day'; key: string; day: string }
  /** `earlier` is the number of unread messages before it that are not on the device. */
  | { type: 'unread'; key: string; earlier: number }
  | MessageItem;

export type Receipts = { peerReadSeq: number | null; peerDeliveredSeq: number };

const RUN_MS = 5 * 60_000;

export function tickOf(row: MessageRow, receipts: Receipts): Tick {
  if (row.state !== 'stored' || row.seq === null) return row.state === 'failed' ? 'failed' : 'waiting';
  if (row.seq <= (receipts.peerReadSeq ?? 0)) return 'read';
  return row.seq <= receipts.peerDeliveredSeq ? 'delivered' : 'sent';
}

type ParsedTime = { at: number; day: string };
/** Parsed times by row, because parsing dates takes most of the time and rows do not change. */
const parsedTimes = new WeakMap<MessageRow, ParsedTime>();

function parseTime(row: MessageRow): ParsedTime {
  const cached = parsedTimes.get(row);
  if (cached) return cached;
  const date = new Date(row.sentAt);
  const parsed = { at: date.getTime(), day: date.toDateString() };
  parsedTimes.set(row, parsed);
  return parsed;
}

function sameRun(a: MessageRow | undefined, b: MessageRow | undefined): boolean {
  if (!a || !b || a.senderId !== b.senderId) return false;
  const [one, other] = [parseTime(a), parseTime(b)];
  return one.day === other.day && Math.abs(other.at - one.at) < RUN_MS;
}

/**
 * Returns the items to draw for ascending rows: messages grouped into runs, a divider before each day, and one before
 * the first unread message, which is the first after `unreadAfter`. With `hasOpening`, the first item is the opening
 * of the conversation once its first message is loaded.
 */
export function threadItems(
  rows: MessageRow[],
  memberId: string,
  receipts: Receipts,
  unreadAfter: number | null,
  hasOpening = false,
): ThreadItem[] {
  const items: ThreadItem[] = [];
  if (hasOpening && (rows[0]?.seq ?? 1) === 1) items.push({ type: 'opening', key: 'opening' });
  let unreadShown = unreadAfter === null;
  rows.forEach((row, index) => {
    const before = rows[index - 1];
    const mine = row.senderId === memberId;
    const { day } = parseTime(row);
    if (!before || parseTime(before).day !== day)
      // A message that failed yesterday comes after today's, so a day may occur twice.
      items.push({ type: 'day', key: `day ${day} ${row.senderId} ${row.clientId}`, day: row.sentAt });
    const unread = !unreadShown && !mine && row.seq !== null && row.seq > (unreadAfter ?? 0);
    if (unread) {
      unreadShown = true;
      const earlier = Math.max(0, (rows[0]?.seq ?? 0) - (unreadAfter ?? 0) - 1);
      items.push({ type: 'unread', key: 'unread', earlier });
    }
    items.push({
      type: 'message',
      key: `${row.senderId} ${row.clientId}`,
      row,
      mine,
      first: unread || !sameRun(before, row),
      last: !sameRun(row, rows[index + 1]),
      tick: mine ? tickOf(row, receipts) : null,
    });
  });
  return items;
}
