import { memo } from 'react';
import { discard, retry } from '@/offline/outbox.ts';
import { Button, cn, formatTime } from '@/ui';
import { Ticks } from './Ticks.tsx';
import type { Tick } from './thread.ts';

type BubbleProps = {
  clientId: string;
  content: string;
  sentAt: string;
  mine: boolean;
  /** Of a run by one member. */
  first: boolean;
  last: boolean;
  tick: Tick | null;
  reason?: string;
  author: string;
};

/** One message. Plain values only, so that a new message does not draw the others again. */
export const Bubble = memo(function Bubble(props: BubbleProps) {
  const { clientId, content, sentAt, mine, first, last, tick, reason, author } = props;
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
        <span data-testid="bubble-text">{content}</span>
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
});

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
