import type { MessageRow } from '@/offline/store/rows.ts';

export type Tick = 'waiting' | 'failed' | 'sent' | 'delivered' | 'read';

type MessageItem = {
  type: 'message';
  key: string;
  row: MessageRow;
  mine: boolean;
  /** First and last of a run by one member within five minutes. */
  first: boolean;
  last: boolean;
  /** Only for our own. */
  tick: Tick | null;
};
export type ThreadItem =
  | { type: 'day'; key: string; day: string }
  /** How many of the new messages before it are not on the device. */
  | { type: 'unread'; key: string; earlier: number }
  | MessageItem;

export type Receipts = { peerReadSeq: number | null; peerDeliveredSeq: number };

const RUN_MS = 5 * 60_000;

export function tickOf(row: MessageRow, receipts: Receipts): Tick {
  if (row.state !== 'stored' || row.seq === null) return row.state === 'failed' ? 'failed' : 'waiting';
  if (row.seq <= (receipts.peerReadSeq ?? 0)) return 'read';
  return row.seq <= receipts.peerDeliveredSeq ? 'delivered' : 'sent';
}

type Moment = { at: number; day: string };
/** Reading a date costs more than all the rest, and ten thousand rows stay what they are. */
const moments = new WeakMap<MessageRow, Moment>();

function momentOf(row: MessageRow): Moment {
  const known = moments.get(row);
  if (known) return known;
  const date = new Date(row.sentAt);
  const moment = { at: date.getTime(), day: date.toDateString() };
  moments.set(row, moment);
  return moment;
}

function sameRun(a: MessageRow | undefined, b: MessageRow | undefined): boolean {
  if (!a || !b || a.senderId !== b.senderId) return false;
  const [one, other] = [momentOf(a), momentOf(b)];
  return one.day === other.day && Math.abs(other.at - one.at) < RUN_MS;
}

/**
 * Ascending rows as what is drawn: a divider before each day and before the
 * first message after `unreadAfter`, bubbles grouped into runs.
 */
export function threadItems(
  rows: MessageRow[],
  memberId: string,
  receipts: Receipts,
  unreadAfter: number | null,
): ThreadItem[] {
  const items: ThreadItem[] = [];
  let unreadShown = unreadAfter === null;
  rows.forEach((row, index) => {
    const before = rows[index - 1];
    const mine = row.senderId === memberId;
    const { day } = momentOf(row);
    if (!before || momentOf(before).day !== day)
      // One that failed yesterday stands after those of today: a day may come twice.
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
