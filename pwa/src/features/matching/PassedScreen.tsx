import { Heart, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { describeLoadError } from '@/api/client.ts';
import { useDb } from '@/offline/store/cached.ts';
import type { PassedRow } from '@/offline/store/db.ts';
import { paths } from '@/session/paths.ts';
import {
  Avatar,
  Button,
  ButtonLink,
  EmptyState,
  ErrorState,
  RelativeTime,
  Screen,
  Skeleton,
  Tabs,
} from '@/ui';
import { LoadMore } from './LoadMore.tsx';
import { MatchesNav } from './MatchesNav.tsx';
import { likePassed, loadMorePasses, type PassList, usePasses, useUndoPass } from './passes.ts';

const tabs = ['recent', 'second-look'] as const;
type PassedTab = (typeof tabs)[number];

/** /matches/passed?tab=…: the passes of the last 30 days, each of which can be undone, and those before them. */
export default function PassedScreen() {
  const [search, setSearch] = useSearchParams();
  const tab: PassedTab = search.get('tab') === 'second-look' ? 'second-look' : 'recent';
  return (
    <Screen title="Passed">
      <MatchesNav />
      <Tabs
        label="Passes"
        onChange={(next) => setSearch(next === 'recent' ? {} : { tab: next }, { replace: true })}
        tabs={[
          { value: 'recent', label: 'Last 30 days', content: <Recent /> },
          { value: 'second-look', label: 'Second look', content: <SecondLook /> },
        ]}
        value={tab}
      />
    </Screen>
  );
}

function Recent() {
  const undoPass = useUndoPass();
  return (
    <Passes
      action={(row) => <UndoButton name={nameOf(row)} onUndo={() => undoPass(row)} />}
      empty={
        <EmptyState
          action={<ButtonLink to={paths.home}>Discover People</ButtonLink>}
          art="road"
          text="People you pass on stay here for 30 days, in case you change your mind."
          title="No recent passes"
        />
      }
      list="recent"
      text="People you passed on in the last 30 days. Take a pass back, and you may meet them again."
    />
  );
}

function SecondLook() {
  const db = useDb();
  return (
    <Passes
      action={(row) => <LikeButton name={nameOf(row)} onLike={() => likePassed(db, row)} />}
      empty={
        <EmptyState
          action={<ButtonLink to={paths.home}>Discover People</ButtonLink>}
          art="road"
          text="Thirty days after you pass on someone, you can find them here again."
          title="No one for a second look yet"
        />
      }
      list="lapsed"
      text="People you passed on more than 30 days ago. People change, and so do first impressions: have another look. They don't know that you passed."
    />
  );
}

const nameOf = ({ user }: PassedRow) => user.firstName || 'Anonymous';

type PassesProps = {
  list: PassList;
  text: string;
  empty: ReactNode;
  /** Returns the button of a row. */
  action: (row: PassedRow) => ReactNode;
};

function Passes({ list, text, empty, action }: PassesProps) {
  const db = useDb();
  const { data, state, error, refresh } = usePasses(list);
  return (
    <>
      {state !== 'error' && <p className="text-muted">{text}</p>}
      {state === 'loading' && <PassesSkeleton />}
      {state === 'error' && (
        <ErrorState
          onRetry={refresh}
          text={describeLoadError(error)}
          title="Your passes could not be loaded"
        />
      )}
      {state === 'empty' && empty}
      {state === 'ready' && data && (
        <>
          <ul className="mt-5 grid gap-3 md:grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] lg:grid-cols-[repeat(auto-fill,minmax(min(100%,24rem),1fr))]">
            {data.rows.map((row) => (
              <Row action={action(row)} key={row.user.id} row={row} />
            ))}
          </ul>
          {data.more && <LoadMore load={() => loadMorePasses(db, list)} />}
        </>
      )}
    </>
  );
}

function Row({ row, action }: { row: PassedRow; action: ReactNode }) {
  const { user, passedAt } = row;
  return (
    <li className="card flex min-w-0 flex-wrap items-center justify-end gap-2 py-2 pe-3 ps-2">
      <Link
        className="flex min-w-[min(100%,11rem)] flex-1 items-center gap-3 rounded-control p-1.5 hover:bg-raised"
        to={paths.member(user.id)}
        viewTransition
      >
        <Avatar size="lg" user={user} />
        <span className="min-w-0">
          <span className="wrap-anywhere line-clamp-2 font-display font-semibold text-lg">
            {nameOf(row)}, {user.age}
          </span>
          {user.city && <span className="block truncate text-muted text-sm">{user.city}</span>}
          <span className="block text-muted text-sm">
            Passed <RelativeTime inSentence value={passedAt} />
          </span>
        </span>
        <span className="sr-only">View profile</span>
      </Link>
      {action}
    </li>
  );
}

type UndoButtonProps = { name: string; onUndo: () => void };

function UndoButton({ name, onUndo }: UndoButtonProps) {
  return (
    <Button
      aria-label={`Take back the pass on ${name}`}
      className="shrink-0 whitespace-nowrap max-[379px]:px-0 max-[379px]:w-11"
      onClick={onUndo}
      size="sm"
      variant="secondary"
    >
      <Undo2 aria-hidden="true" className="size-4.5" />
      <span className="max-[379px]:sr-only">Take back</span>
    </Button>
  );
}

function LikeButton({ name, onLike }: { name: string; onLike: () => void }) {
  return (
    <Button aria-label={`Like ${name}`} className="shrink-0" onClick={onLike} size="sm">
      <Heart aria-hidden="true" className="size-4.5" />
      Like
    </Button>
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
