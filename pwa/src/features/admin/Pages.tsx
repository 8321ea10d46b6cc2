import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { describeLoadError } from '@/api/client.ts';
import { useFailure } from '@/offline/store/cached.ts';
import { Button, ErrorState, Skeleton } from '@/ui';

type PagesProps = {
  query: UseQueryResult;
  isEmpty: boolean;
  /** Shown instead of the table if no row fits the filters. */
  empty: string;
  number: number;
  goNext?: () => void;
  goBack?: () => void;
  children: ReactNode;
};

/** A page of a table with the buttons to turn it, and all states of loading it. */
export function Pages({ query, isEmpty, empty, number, goNext, goBack, children }: PagesProps) {
  const failure = useFailure(query);
  if (failure)
    return (
      <ErrorState
        onRetry={query.refetch}
        text={describeLoadError(failure)}
        title="The table could not be loaded"
      />
    );
  if (query.isPending)
    return (
      <div aria-label="Loading the table" role="status">
        <Skeleton className="h-96 rounded-card" />
      </div>
    );
  return (
    <>
      {isEmpty ? <p className="card p-10 text-center text-muted">{empty}</p> : children}
      {(goBack || goNext) && (
        <nav aria-label="Pages" className="mt-3 flex flex-wrap items-center gap-3">
          <Button disabled={!goBack} onClick={goBack} size="sm" variant="secondary">
            Previous
          </Button>
          <span className="whitespace-nowrap text-muted text-sm">Page {number}</span>
          <Button disabled={!goNext} onClick={goNext} size="sm" variant="secondary">
            Next
          </Button>
        </nav>
      )}
    </>
  );
}
