import { useSyncExternalStore } from 'react';
import { formatDate, formatRelative, formatTime } from '@/base/format.ts';

/** The time, updated every minute while a component shows it. */
class MinuteClock {
  private now = Date.now();
  private readonly watchers = new Set<() => void>();
  private timer: ReturnType<typeof setInterval> | undefined;

  readonly get = () => this.now;

  readonly watch = (tick: () => void): (() => void) => {
    this.watchers.add(tick);
    this.timer ??= setInterval(() => {
      this.now = Date.now();
      for (const watcher of this.watchers) watcher();
    }, 60_000);
    return () => {
      this.watchers.delete(tick);
      if (this.watchers.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    };
  };
}

const clock = new MinuteClock();

/** A relative time, updated every minute by one timer for all instances. */
export function RelativeTime({
  value,
  className,
  inSentence,
}: {
  value: string | Date;
  className?: string;
  /** It follows other text, as in "Passed yesterday". */
  inSentence?: boolean;
}) {
  useSyncExternalStore(clock.watch, clock.get);
  const then = new Date(value);
  return (
    <time
      className={className}
      dateTime={then.toISOString()}
      title={`${formatDate(then)}, ${formatTime(then)}`}
    >
      {formatRelative(then, new Date(), { inSentence })}
    </time>
  );
}
