import { formatDate, formatRelative, formatTime } from '@/base/format.ts';
import { useMinute } from '@/base/now.ts';

/** A relative time, updated every minute. */
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
  useMinute();
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
