import { Link } from 'react-router';
import { describeLoadError } from '@/api/client.ts';
import type { PlannedDate } from '@/api/types.ts';
import { fetchNextPast } from '@/domain/plannedDates.ts';
import { useDb } from '@/offline/store/cached.ts';
import { paths } from '@/session/paths.ts';
import { Avatar, Button, ButtonLink, cn, EmptyState, ErrorState, Screen, Skeleton, useAction } from '@/ui';
import { DateCard } from './DateCard.tsx';
import { type Dates, describeFailure, useDates } from './dates.ts';

/** /dates: planned and past dates. */
export default function DatesScreen() {
  const { data, state, error, refresh } = useDates();
  return (
    <Screen back={paths.matches} title="Your dates">
      {state === 'loading' && <DatesSkeleton />}
      {state === 'error' && (
        <ErrorState
          onRetry={refresh}
          text={describeLoadError(error)}
          title="Your dates could not be loaded"
        />
      )}
      {state === 'empty' && <NoDates />}
      {state === 'ready' && data && (
        <div
          className={cn(
            data.past.length > 0 && 'gap-6 md:grid md:grid-cols-2 lg:gap-8',
            isShort(data) && 'mx-auto max-w-180',
          )}
        >
          <List columns={columnsOf(data)} dates={data.upcoming} title="Coming up">
            <p className="text-muted">
              Nothing is planned right now. Open a conversation and choose "Plan a date".
            </p>
          </List>
          {data.past.length > 0 && (
            <div>
              <List dates={data.past} title="Past dates" />
              {data.hasMore && <LoadMore />}
            </div>
          )}
        </div>
      )}
    </Screen>
  );
}

/** Whether one column of reading width holds everything. */
const isShort = ({ upcoming, past }: Dates) => past.length === 0 && upcoming.length < 2;

/** The classes of the lists' columns. From 768 px on upcoming and past dates are side by side, each in one column. */
const columnsOf = ({ upcoming, past }: Dates) =>
  past.length === 0 && upcoming.length > 1 ? 'md:grid-cols-2' : '';

function List({
  title,
  dates,
  columns,
  children,
}: {
  title: string;
  dates: PlannedDate[];
  columns?: string;
  children?: React.ReactNode;
}) {
  return (
    <section className="mb-8">
      <h2 className="mb-3 font-display font-semibold text-xl">{title}</h2>
      {dates.length === 0 && children}
      <ul className={cn('grid grid-cols-1 items-start gap-4', columns)}>
        {dates.map((date) => (
          <li className="card p-4" key={date.id}>
            <Link
              className="mb-3 flex min-h-11 items-center gap-3 rounded-control hover:bg-raised"
              to={paths.conversation(date.conversationId)}
              viewTransition
            >
              <Avatar size="sm" user={date.user} />
              <span className="min-w-0 truncate font-semibold" dir="auto">
                {date.user.firstName}
              </span>
              <span className="sr-only">Open the conversation</span>
            </Link>
            <DateCard date={date} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function LoadMore() {
  const db = useDb();
  const [load, { isBusy, error }] = useAction(() => fetchNextPast(db), {
    inline: true,
    errorText: describeFailure,
  });
  return (
    <div className="text-center">
      {error && (
        <p className="mb-2 text-danger text-sm" role="alert">
          {error}
        </p>
      )}
      <Button busy={isBusy} onClick={load} variant="secondary">
        Show more
      </Button>
    </div>
  );
}

function NoDates() {
  return (
    <EmptyState
      action={<ButtonLink to={paths.messages}>Go to your conversations</ButtonLink>}
      art="road"
      text="When a conversation feels right, plan a date in it: a place, a time, and a yes from both."
      title="No dates yet"
    />
  );
}

function DatesSkeleton() {
  return (
    <div aria-label="Loading dates" className="grid gap-4 md:grid-cols-2" role="status">
      {['a', 'b', 'c', 'd'].map((key) => (
        <Skeleton className="h-56 rounded-card" key={key} />
      ))}
    </div>
  );
}
