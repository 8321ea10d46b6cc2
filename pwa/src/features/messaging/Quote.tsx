import { useQuery } from '@tanstack/react-query';
import { useDb } from '@/offline/store/cached.ts';
import type { MessageRow } from '@/offline/store/rows.ts';
import { fetchMessage } from '@/offline/sync/olderMessages.ts';
import { cn } from '@/ui';
import { describeRow } from './describeMessage.ts';

type QuotedMessage = Pick<
  MessageRow,
  'senderId' | 'messageType' | 'content' | 'attachments' | 'deletedAt' | 'flag'
>;

type QuoteProps = {
  conversationId: string;
  seq: number;
  /** The quoted row, if it is among those shown. */
  row: QuotedMessage | undefined;
  author: string;
  className?: string;
  onClick?: () => void;
};

/** The message that is replied to: a name and one line, of constant height. */
export function Quote({ conversationId, seq, row, author, className, onClick }: QuoteProps) {
  const db = useDb();
  const quoted = useQuoted(conversationId, seq, row);
  const name = quoted && (quoted.senderId === db.memberId ? 'You' : author);
  const lines = (
    <>
      <span className="block truncate font-semibold text-xs leading-4" dir="auto">
        {name ?? ' '}
      </span>
      <span className="block truncate text-sm leading-5" dir="auto">
        {quoted === null ? 'This message cannot be shown' : quoted ? describeRow(quoted) : '…'}
      </span>
    </>
  );
  const classes = cn(
    'block w-full min-w-0 rounded-e-control border-s-3 py-1 pe-2 ps-2 text-start',
    className,
  );
  if (!onClick) return <div className={classes}>{lines}</div>;
  return (
    <button className={classes} onClick={onClick} type="button">
      <span className="sr-only">In reply to, go to the message: </span>
      {lines}
    </button>
  );
}

/** Returns the quoted message from the rows shown, the device or the server; null if it cannot be loaded. */
function useQuoted(
  conversationId: string,
  seq: number,
  row: QuotedMessage | undefined,
): QuotedMessage | null | undefined {
  const db = useDb();
  const { data, isError } = useQuery({
    queryKey: ['quoted', conversationId, seq],
    queryFn: async (): Promise<QuotedMessage | null> => {
      const query = db.messages.where('[conversationId+order]').equals([conversationId, seq]);
      return (await query.first()) ?? (await fetchMessage(conversationId, seq));
    },
    enabled: !row,
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
  });
  if (row) return row;
  return isError ? null : data;
}
