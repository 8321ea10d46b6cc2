import { useQuery } from '@tanstack/react-query';
import { describeLoadError } from '@/api/client.ts';
import { formatCount, formatDate, formatTime } from '@/base/format.ts';
import { useFailure } from '@/offline/store/cached.ts';
import { Skeleton } from '@/ui';
import { summaryQuery } from './adminRequests.ts';

/** The number of all messages and the times of the newest five, without their contents. */
export function MessagesSummary() {
  const query = useQuery(summaryQuery);
  const failure = useFailure(query);
  if (failure)
    return (
      <p className="card p-4 text-sm" role="alert">
        {describeLoadError(failure)}
      </p>
    );
  if (!query.data) return <Skeleton className="h-20 rounded-card" />;
  const { totalMessages, recentMessages } = query.data;
  return (
    <section aria-label="All messages" className="card flex flex-wrap gap-x-10 gap-y-3 p-4 text-sm">
      <div>
        <h2 className="text-muted text-xs">Total messages</h2>
        <p className="font-display font-semibold text-2xl tabular-nums">{formatCount(totalMessages)}</p>
      </div>
      <div className="min-w-0 flex-1">
        <h2 className="text-muted text-xs">Recent messages</h2>
        {recentMessages.length === 0 && <p>None yet.</p>}
        <ul className="mt-1 flex flex-wrap gap-x-6 gap-y-1">
          {recentMessages.map(({ id, sentAt }) => (
            <li key={id} title={id}>
              {formatDate(sentAt)}, {formatTime(sentAt)}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
