import { Undo2 } from 'lucide-react';
import { Link } from 'react-router';
import type { PassedRow } from '@/offline/store/db.ts';
import { paths } from '@/session/paths.ts';
import { Avatar, Button, ButtonLink, EmptyState, ErrorState, RelativeTime, Screen, Skeleton } from '@/ui';
import { MatchesNav } from './MatchesNav.tsx';
import { More } from './More.tsx';
import { morePassed, usePassed, useTakeBack } from './passed.ts';

/** /matches/passed: whom the member passed on, and the way back. */
export default function PassedScreen() {
  const { data, state, refresh } = usePassed();
  const takeBack = useTakeBack();
  return (
    <Screen title="Passed">
      <MatchesNav />
      <p className="text-muted">
        People you passed on in the last 30 days. Take a pass back, and you may meet them again.
      </p>
      {state === 'loading' && <Waiting />}
      {state === 'error' && <ErrorState onRetry={refresh} title="Failed to fetch passes" />}
      {state === 'empty' && <Nobody />}
      {state === 'ready' && data && (
        <>
          <ul className="mt-5 grid gap-3 md:grid-cols-2">
            {data.rows.map((row) => (
              <Row key={row.user.id} onTakeBack={() => takeBack(row)} row={row} />
            ))}
          </ul>
          {data.more && <More load={morePassed} />}
        </>
      )}
    </Screen>
  );
}

function Row({ row: { user, passedAt }, onTakeBack }: { row: PassedRow; onTakeBack: () => void }) {
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
        onClick={onTakeBack}
        size="sm"
        variant="secondary"
      >
        <Undo2 aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
        <span className="max-[379px]:sr-only">Take back</span>
      </Button>
    </li>
  );
}

function Nobody() {
  return (
    <EmptyState
      action={<ButtonLink to={paths.home}>Discover People</ButtonLink>}
      art="road"
      text="Whoever you pass on waits here for 30 days, in case you change your mind."
      title="Nobody passed"
    />
  );
}

function Waiting() {
  return (
    <div aria-label="Loading passes" className="mt-5 grid gap-3 md:grid-cols-2" role="status">
      {['a', 'b', 'c', 'd'].map((key) => (
        <Skeleton className="h-24 rounded-card" key={key} />
      ))}
    </div>
  );
}
