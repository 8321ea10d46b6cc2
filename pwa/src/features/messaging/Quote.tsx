import { useQuery } from '@tanstack/react-query';
import { getDb } from '@/offline/store/db.ts';
import type { MessageRow } from '@/offline/store/rows.ts';
import { fetchMessage } from '@/offline/sync/older.ts';
import { cn } from '@/ui';
import { rowInWords } from './words.ts';

type Said = Pick<MessageRow, 'senderId' | 'messageType' | 'content' | 'attachments' | 'deletedAt' | 'flag'>;

type QuoteProps = {
  conversationId: string;
  seq: number;
  /** Where it is among the rows shown. */
  held: Said | undefined;
  author: string;
  className?: string;
  onClick?: () => void;
};

/** What a message answers to: a name and one line, always the same height. */
export function Quote({ conversationId, seq, held, author, className, onClick }: QuoteProps) {
  const said = useSaid(conversationId, seq, held);
  const name = said && (said.senderId === getDb().memberId ? 'You' : author);
  const lines = (
    <>
      <span className="block truncate font-semibold text-xs leading-4">{name ?? ' '}</span>
      <span className="block truncate text-sm leading-5">
        {said === null ? 'This message cannot be shown' : said ? rowInWords(said) : '…'}
      </span>
    </>
  );
  const look = cn('block w-full min-w-0 rounded-r-control border-l-3 py-1 pr-2 pl-2 text-left', className);
  if (!onClick) return <div className={look}>{lines}</div>;
  return (
    <button className={look} onClick={onClick} type="button">
      <span className="sr-only">In reply to, go to the message: </span>
      {lines}
    </button>
  );
}

/** From the rows shown, from the device, or from the server; null when it cannot be had. */
function useSaid(conversationId: string, seq: number, held: Said | undefined): Said | null | undefined {
  const { data, isError } = useQuery({
    queryKey: ['quoted', conversationId, seq],
    queryFn: async (): Promise<Said | null> => {
      const at = getDb().messages.where('[conversationId+order]').equals([conversationId, seq]);
      return (await at.first()) ?? (await fetchMessage(conversationId, seq));
    },
    enabled: !held,
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
  });
  if (held) return held;
  return isError ? null : data;
}
