import { cn } from '@/ui';
import { StrokeIcon } from './StrokeIcon.tsx';
import type { Tick } from './thread.ts';

// The shapes are lucide's clock, circle-alert, check and check-check.
const ROUND = 'M22 12A10 10 0 1 1 2 12a10 10 0 0 1 20 0';
const DOUBLE_CHECK = 'M18 6 7 17l-5-5m20-2-7.5 7.5L13 16';
const icons = {
  waiting: { path: `${ROUND}M12 6v6l4 2`, label: 'Waiting to be sent' },
  failed: { path: `${ROUND}M12 8v4m0 4h.01`, label: 'Not sent' },
  sent: { path: 'M20 6 9 17l-5-5', label: 'Sent' },
  delivered: { path: DOUBLE_CHECK, label: 'Delivered' },
  read: { path: DOUBLE_CHECK, label: 'Read' },
};

/** Clock, one tick, two ticks or filled ticks, each with a label. */
export function Ticks({ tick }: { tick: Tick }) {
  const { path, label } = icons[tick];
  const read = tick === 'read';
  return (
    <span
      aria-label={label}
      className={cn('inline-flex shrink-0', read && 'rounded-full bg-on-ember px-0.5 text-ember')}
      data-tick={tick}
      role="img"
      title={label}
    >
      <StrokeIcon className={read ? 'size-3.5' : 'size-4'} path={path} width={read ? 2.5 : undefined} />
    </span>
  );
}
