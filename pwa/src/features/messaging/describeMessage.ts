/** One-line descriptions of a message, for the list, quotes and screen readers. */
import { countText } from '@/base/format.ts';
import { clock, roundedDuration } from '@/media/clock.ts';
import type { MessageRow } from '@/offline/store/rows.ts';

type DescribedMessage = {
  messageType: string;
  content: string;
  durationMs: number | null;
  attachmentCount: number;
  deleted: boolean;
  /** The filter has flagged the message, and its recipient has not answered the question about it. */
  flagged?: boolean;
};

export const DELETED = 'Message deleted';
export const UNKNOWN = 'This message needs a newer version of Heartward';
const FLAGGED = 'Sent you a message';

export function describeMessage({
  messageType,
  content,
  durationMs,
  attachmentCount,
  deleted,
  flagged,
}: DescribedMessage): string {
  if (deleted) return DELETED;
  if (flagged) return FLAGGED;
  switch (messageType) {
    case 'audio':
      return withLength('Voice message', durationMs);
    case 'video':
      return withLength('Video message', durationMs);
    case 'image': {
      const pictures = attachmentCount > 1 ? `${attachmentCount} pictures` : 'Picture';
      return content ? `${pictures}: ${content}` : pictures;
    }
    case 'date':
      return content || 'Proposed a date';
    case 'text':
      return content;
    default:
      return UNKNOWN;
  }
}

const KNOWN_TYPES: readonly string[] = ['text', 'audio', 'video', 'image', 'date'];

/** Whether this build can show messages of the type; a newer server may send others. */
export const isKnownType = (messageType: string): boolean => KNOWN_TYPES.includes(messageType);

export const describeRow = (
  row: Pick<MessageRow, 'messageType' | 'content' | 'attachments' | 'deletedAt' | 'flag'>,
) =>
  describeMessage({
    messageType: row.messageType,
    content: row.content,
    durationMs: row.attachments[0]?.durationMs ?? null,
    attachmentCount: row.attachments.length,
    deleted: row.deletedAt !== null,
    flagged: row.flag !== null,
  });

function withLength(what: string, durationMs: number | null): string {
  return durationMs ? `${what}, ${clock(roundedDuration(durationMs))}` : what;
}

/** Returns "Last seen 2 hours ago". The server's time is exact to five minutes. */
export function describeLastSeen(lastSeenAt: string, now = Date.now()): string {
  const minutes = Math.floor((now - Date.parse(lastSeenAt)) / 60_000);
  if (minutes < 10) return 'Last seen a few minutes ago';
  if (minutes < 60) return `Last seen ${minutes} minutes ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `Last seen ${countText(hours, 'hour')} ago`;
  const days = Math.floor(hours / 24);
  if (days < 7) return `Last seen ${countText(days, 'day')} ago`;
  return 'Last seen more than a week ago';
}
