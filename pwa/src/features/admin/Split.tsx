import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { describeLoadError } from '@/api/client.ts';
import { useFailure } from '@/offline/store/cached.ts';
import { type AdminTab, adminPath } from '@/session/adminPaths.ts';
import { Button, cn, EmptyState, ErrorState, Skeleton } from '@/ui';
import { useKeys } from './queueKeys.ts';

type SplitProps = { tab: AdminTab; list: ReactNode; entry: ReactNode | null; hint: string };

/** A list beside its open entry; below 1024 px only one of them is shown. */
export function Split({ tab, list, entry, hint }: SplitProps) {
  const navigate = useNavigate();
  const isOpen = entry !== null;
  useKeys({ Escape: isOpen ? () => void navigate(adminPath(tab)) : undefined });
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(20rem,26rem)_minmax(0,1fr)]">
      <div
        className={cn(
          'lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem-var(--offline-strip,0px))] lg:overflow-y-auto',
          isOpen && 'max-lg:hidden',
        )}
        data-scroll-box={`admin-${tab}`}
      >
        {list}
      </div>
      {isOpen ? (
        <div>
          <Link
            className="mb-2 inline-flex min-h-11 items-center font-semibold text-ember-strong lg:hidden"
            to={adminPath(tab)}
          >
            Back to the list
          </Link>
          {entry}
        </div>
      ) : (
        <p className="hidden rounded-card border border-line border-dashed p-10 text-center text-muted lg:block">
          {hint}
        </p>
      )}
    </div>
  );
}

type QueueProps<Row> = {
  label: string;
  query: UseInfiniteQueryResult<Row[]>;
  empty: { title: string; text: string };
  children: (row: Row) => ReactNode;
};

/** The rows of a queue with all states of loading it. */
export function Queue<Row>({ label, query, empty, children }: QueueProps<Row>) {
  const failure = useFailure(query);
  const { data: rows = [] } = query;
  if (query.isPending && !failure) return <QueueSkeleton />;
  if (failure && rows.length === 0)
    return (
      <ErrorState
        onRetry={query.refetch}
        text={describeLoadError(failure)}
        title="The list could not be loaded"
      />
    );
  if (rows.length === 0) return <EmptyState art="letters" text={empty.text} title={empty.title} />;
  return (
    <>
      {failure && (
        <p className="mb-2 text-danger text-sm" role="alert">
          {describeLoadError(failure)} This is the list as it was before.
        </p>
      )}
      <ul aria-label={label} className="card divide-y divide-line overflow-hidden">
        {rows.map(children)}
      </ul>
      {query.hasNextPage && (
        <Button
          block
          busy={query.isFetchingNextPage}
          className="mt-3"
          onClick={() => void query.fetchNextPage()}
          size="sm"
          variant="secondary"
        >
          Show more
        </Button>
      )}
    </>
  );
}

function QueueSkeleton() {
  return (
    <div aria-label="Loading the list" className="flex flex-col gap-2" role="status">
      {['a', 'b', 'c', 'd', 'e'].map((key) => (
        <Skeleton className="h-20" key={key} />
      ))}
    </div>
  );
}

type RowProps = { tab: AdminTab; id: string; open: boolean; children: ReactNode };

/** A row of a queue: a link to its entry. */
export function QueueRow({ tab, id, open, children }: RowProps) {
  return (
    <Link
      aria-current={open || undefined}
      className="flex min-w-0 flex-1 flex-col gap-1 px-4 py-3 text-sm hover:bg-raised focus-visible:-outline-offset-2 aria-[current]:bg-ember-soft"
      data-row={id}
      to={adminPath(tab, id)}
    >
      {children}
    </Link>
  );
}
