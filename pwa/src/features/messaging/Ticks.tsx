import { Check, CheckCheck, CircleAlert, Clock } from 'lucide-react';
import { cn } from '@/ui';
import type { Tick } from './thread.ts';

const looks = {
  waiting: { icon: Clock, label: 'Waiting to be sent' },
  failed: { icon: CircleAlert, label: 'Not sent' },
  sent: { icon: Check, label: 'Sent' },
  delivered: { icon: CheckCheck, label: 'Delivered' },
  read: { icon: CheckCheck, label: 'Read' },
};

/** Clock, one tick, two ticks, filled ticks; each says in words what it means. */
export function Ticks({ tick, className }: { tick: Tick; className?: string }) {
  const { icon: Icon, label } = looks[tick];
  return (
    <span className={cn('inline-flex shrink-0 items-center', className)} data-tick={tick} title={label}>
      {tick === 'read' ? (
        <span className="inline-flex rounded-full bg-on-ember px-0.5 text-ember">
          <Icon aria-hidden="true" className="size-3.5" strokeWidth={2.5} />
        </span>
      ) : (
        <Icon aria-hidden="true" className="size-4" strokeWidth={1.75} />
      )}
      <span className="sr-only">{label}</span>
    </span>
  );
}
