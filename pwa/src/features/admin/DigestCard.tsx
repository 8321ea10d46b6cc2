import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { describeLoadError } from '@/api/client.ts';
import type { DigestRun } from '@/api/types.ts';
import { formatDate, formatTime } from '@/base/format.ts';
import { useFailure } from '@/offline/store/cached.ts';
import { queryClient } from '@/session/query.ts';
import { Button, ErrorState, Skeleton, toast, useAction } from '@/ui';
import { digestQuery, startDigest } from './adminRequests.ts';
import { useWithProof } from './proof.ts';

const describeCounts = ({ emailsSent, emailsFailed }: DigestRun) =>
  `${emailsSent} sent, ${emailsFailed} failed`;

/** The weekly digest: its progress, and a button that starts it before its time. */
export function DigestCard() {
  const query = useQuery(digestQuery);
  const failure = useFailure(query);
  const run = query.data;
  const before = useRef<DigestRun['state']>(undefined);
  useEffect(() => {
    // A run for few members is done in the first response after the start.
    if (run?.state === 'done' && before.current && before.current !== 'done')
      toast({ title: 'Weekly Digest Sent', description: describeCounts(run) });
    before.current = run?.state;
  }, [run]);
  return (
    <section className="max-w-2xl">
      <h2 className="mb-4 font-display font-semibold text-xl">Weekly digest</h2>
      {failure && (
        <ErrorState
          onRetry={query.refetch}
          text={describeLoadError(failure)}
          title="The digest could not be loaded"
        />
      )}
      {!run && !failure && <Skeleton className="h-28 rounded-card" />}
      {run && <Run run={run} />}
    </section>
  );
}

function Run({ run }: { run: DigestRun }) {
  const withProof = useWithProof();
  const startWithProof = () =>
    withProof(async () => {
      queryClient.setQueryData(digestQuery.queryKey, await startDigest());
    });
  const [start, { isBusy }] = useAction(startWithProof, { errorTitle: 'Failed to Send Digest' });

  const next = new Date(run.nextRunAt);
  return (
    <div className="card flex flex-col items-start gap-3 p-5">
      {run.state === 'not_started' ? (
        <>
          <p>
            This week's digest starts automatically on {formatDate(next)}, {formatTime(next)}.
          </p>
          <Button busy={isBusy} onClick={start} variant="secondary">
            Send it now
          </Button>
        </>
      ) : (
        <p aria-live="polite">
          {run.state === 'done' ? "This week's digest is sent: " : "This week's digest is being sent: "}
          {describeCounts(run)}
          {run.state === 'running' && `, ${run.emailsWaiting} waiting`}, {run.skipped} members get none this
          week.
        </p>
      )}
    </div>
  );
}
