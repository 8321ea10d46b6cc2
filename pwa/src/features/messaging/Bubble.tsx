import { memo } from 'react';
import { discard, retry } from '@/offline/outbox.ts';
import type { ConversationRow, MessageRow } from '@/offline/rows.ts';
import { Button, cn, formatTime } from '@/ui';
import { useSlots } from './slots.ts';
import { Ticks } from './Ticks.tsx';
import type { Tick } from './thread.ts';

type BubbleProps = {
  /** The device gives the same row until it changes (see queries.ts). */
  row: MessageRow;
  conversation: ConversationRow;
  mine: boolean;
  /** Of a run by one member. */
  first: boolean;
  last: boolean;
  tick: Tick | null;
  author: string;
};

/** The device reads rows anew with every change: a message that says the same is not drawn again. */
function looksSame(a: BubbleProps, b: BubbleProps): boolean {
  const { row: rowA, conversation: _a, ...restA } = a;
  const { row: rowB, conversation: _b, ...restB } = b;
  return JSON.stringify([rowA, restA]) === JSON.stringify([rowB, restB]);
}

/** One message. */
export const Bubble = memo(function Bubble({ row, mine, first, last, tick, author, ...about }: BubbleProps) {
  const { clientId, content, sentAt, reason } = row;
  const slots = useSlots();
  const words = content && <span data-testid="bubble-text">{content}</span>;
  const whole = (
    <>
      {row.attachments.length > 0 && slots.attachments?.(row, { mine, author })}
      {(row.dateId && slots.dateCard?.(row.dateId, { mine, ...about })) || words}
    </>
  );
  return (
    <li
      className={cn('flex flex-col', mine ? 'items-end' : 'items-start', first ? 'mt-3' : 'mt-0.5')}
      data-client-id={clientId}
    >
      <div
        className={cn(
          'max-w-[82%] whitespace-pre-wrap rounded-card px-3.5 py-2 [overflow-wrap:anywhere] md:max-w-[70%]',
          look(mine, tick),
          mine && last && 'rounded-br-[6px]',
          !mine && last && 'rounded-bl-[6px]',
        )}
      >
        <span className="sr-only">{mine ? 'You' : author}: </span>
        {!mine && row.flag && slots.flagged ? slots.flagged(row, whole) : whole}
        <span
          className={cn(
            'float-right mt-1.5 ml-3 inline-flex select-none items-center gap-1 text-xs leading-4',
            !mine && 'text-muted',
          )}
        >
          <time dateTime={sentAt}>{formatTime(sentAt)}</time>
          {tick && <Ticks tick={tick} />}
        </span>
      </div>
      {tick === 'failed' && <Refused clientId={clientId} reason={reason} />}
    </li>
  );
}, looksSame);

function look(mine: boolean, tick: Tick | null): string {
  if (tick === 'failed') return 'border border-danger bg-danger-soft text-ink';
  return mine ? 'bg-ember text-on-ember' : 'border border-line bg-surface text-ink';
}

function Refused({ clientId, reason }: { clientId: string; reason?: string }) {
  return (
    <div className="flex max-w-[82%] flex-wrap items-center justify-end gap-x-1 text-sm">
      <p className="text-danger">Not sent. {reason}</p>
      <Button onClick={() => void retry(clientId)} size="sm" variant="ghost">
        Retry
      </Button>
      <Button onClick={() => void discard(clientId)} size="sm" variant="ghost">
        Discard
      </Button>
    </div>
  );
}
