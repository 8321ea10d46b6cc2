import { useSyncExternalStore } from 'react';
import { formatDate, formatRelative, formatTime } from '@/base/format.ts';

let minute = Date.now();
const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function watchMinute(tick: () => void): () => void {
  watchers.add(tick);
  timer ??= setInterval(() => {
    minute = Date.now();
    for (const watcher of watchers) watcher();
  }, 60_000);
  return () => {
    watchers.delete(tick);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

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
  useSyncExternalStore(watchMinute, () => minute);
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
