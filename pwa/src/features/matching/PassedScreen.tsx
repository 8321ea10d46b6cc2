import { Undo2 } from 'lucide-react';
import { Link } from 'react-router';
import type { PassedRow } from '@/offline/store/db.ts';
import { paths } from '@/session/paths.ts';
import { Avatar, Button, ButtonLink, EmptyState, ErrorState, RelativeTime, Screen, Skeleton } from '@/ui';
import { LoadMore } from './LoadMore.tsx';
import { MatchesNav } from './MatchesNav.tsx';
import { loadMorePasses, usePasses, useUndoPass } from './passes.ts';

/** /matches/passed: the member's passes, each with a button that undoes it. */
export default function PassedScreen() {
  const { data, state, refresh } = usePasses();
  const undoPass = useUndoPass();
  return (
    <Screen title="Passed">
      <MatchesNav />
      <p className="text-muted">
        People you passed on in the last 30 days. Take a pass back, and you may meet them again.
      </p>
      {state === 'loading' && <PassesSkeleton />}
      {state === 'error' && <ErrorState onRetry={refresh} title="Failed to fetch passes" />}
      {state === 'empty' && <NoPasses />}
      {state === 'ready' && data && (
        <>
          <ul className="mt-5 grid gap-3 md:grid-cols-2">
            {data.rows.map((row) => (
              <Row key={row.user.id} onUndo={() => undoPass(row)} row={row} />
            ))}
          </ul>
          {data.more && <LoadMore load={loadMorePasses} />}
        </>
      )}
    </Screen>
  );
}

function Row({ row: { user, passedAt }, onUndo }: { row: PassedRow; onUndo: () => void }) {
  const name = user.firstName || 'Anonymous';
  return (
    <li className="card flex min-w-0 items-center gap-2 py-2 pr-3 pl-2">
      <Link
        className="flex min-w-0 flex-1 items-center gap-3 rounded-control p-1.5 hover:bg-raised"
        to={paths.member(user.id)}
        viewTransition
      >
        <Avatar size="lg" user={user} />
        <span className="min-w-0">
          <span className="block truncate font-display font-semibold text-lg">
            {name}, {user.age}
          </span>
          {user.city && <span className="block truncate text-muted text-sm">{user.city}</span>}
          <span className="block truncate text-muted text-sm">
            Passed <RelativeTime inSentence value={passedAt} />
          </span>
        </span>
        <span className="sr-only">View profile</span>
      </Link>
      <Button
        aria-label={`Take back the pass on ${name}`}
        className="shrink-0 whitespace-nowrap max-[379px]:px-0 max-[379px]:w-11"
        onClick={onUndo}
        size="sm"
        variant="secondary"
      >
        <Undo2 aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
        <span className="max-[379px]:sr-only">Take back</span>
      </Button>
    </li>
  );
}

function NoPasses() {
  return (
    <EmptyState
      action={<ButtonLink to={paths.home}>Discover People</ButtonLink>}
      art="road"
      text="People you pass on stay here for 30 days, in case you change your mind."
      title="Nobody passed"
    />
  );
}

function PassesSkeleton() {
  return (
    <div aria-label="Loading passes" className="mt-5 grid gap-3 md:grid-cols-2" role="status">
      {['a', 'b', 'c', 'd'].map((key) => (
        <Skeleton className="h-24 rounded-card" key={key} />
      ))}
    </div>
  );
}
