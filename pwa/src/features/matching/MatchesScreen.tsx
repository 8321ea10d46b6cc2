import { CalendarHeart, Heart, type LucideIcon, MessagesSquare, RotateCw } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { describeLoadError } from '@/api/client.ts';
import { useDb } from '@/offline/store/cached.ts';
import { paths } from '@/session/paths.ts';
import {
  ButtonLink,
  Chip,
  cn,
  EmptyState,
  ErrorState,
  IconButton,
  Screen,
  Skeleton,
  useAction,
  useFirstRows,
} from '@/ui';
import { CELEBRATE_PARAM, whenVisible } from './celebration.ts';
import { MatchCard } from './MatchCard.tsx';
import { MatchesNav } from './MatchesNav.tsx';
import { byUnread, type Matches, tryMarkMatchesSeen, useCounts, useMatches } from './matches.ts';

/** A match counts as seen after this time on the screen. */
const SEEN_AFTER_MS = 1200;

/** The member's matches. `notice` is below them, where it shifts no content when it appears late. */
export default function MatchesScreen({ notice }: { notice?: ReactNode }) {
  const { data, state, error, refresh } = useMatches();
  return (
    <Screen title="Your Matches">
      <MatchesNav />
      {state !== 'error' && <p className="text-muted">People who liked you back!</p>}
      {state === 'loading' && <MatchesSkeleton />}
      {state === 'error' && (
        <ErrorState onRetry={refresh} text={describeLoadError(error)} title="Failed to fetch matches" />
      )}
      {data && (state === 'ready' || state === 'empty') && (
        <>
          <Tiles matches={data} />
          {state === 'ready' ? <List matches={data} /> : <NoMatches />}
        </>
      )}
      <div className="mt-5 empty:hidden">{notice}</div>
    </Screen>
  );
}

function Tiles({ matches }: { matches: Matches }) {
  const { conversations, datesPlanned, error, refresh } = useCounts(matches);
  const tiles: {
    icon: LucideIcon;
    count: number | undefined;
    label: string;
    colours: string;
    to?: string;
  }[] = [
    {
      icon: Heart,
      count: matches.list.length,
      label: 'Total matches',
      colours: 'bg-ember-soft text-ember-strong',
    },
    {
      icon: MessagesSquare,
      count: conversations,
      label: 'Conversations',
      colours: 'bg-plum-soft text-plum',
    },
    {
      icon: CalendarHeart,
      count: datesPlanned,
      label: 'Dates planned',
      colours: 'bg-sage-soft text-sage',
      to: paths.dates,
    },
  ];
  return (
    <dl className="mt-4 grid grid-cols-[repeat(auto-fit,minmax(5.5rem,1fr))] gap-2 min-[380px]:gap-3">
      {tiles.map(({ icon: Icon, count, label, colours, to }) => (
        <div
          className={`relative flex flex-col-reverse justify-end rounded-card px-1.5 py-3 min-[380px]:px-3 md:p-5 ${colours}`}
          key={label}
        >
          <dt className="hyphens-auto text-xs [overflow-wrap:normal] md:text-sm">
            {to ? (
              <Link
                className="underline underline-offset-2 after:absolute after:inset-0"
                to={to}
                viewTransition
              >
                {label}
              </Link>
            ) : (
              label
            )}
          </dt>
          <dd className="flex min-h-8.5 items-center justify-between font-display font-semibold text-2xl tabular-nums">
            {count ??
              (error ? <LoadAgain label={label} load={refresh} /> : <Skeleton className="my-1 h-6 w-5" />)}
            <Icon aria-hidden="true" className="size-6 opacity-70" />
          </dd>
        </div>
      ))}
    </dl>
  );
}

type LoadAgainProps = { label: string; load: () => Promise<unknown> };

/** In the place of a number that could not be loaded, as high as the number. */
function LoadAgain({ label, load }: LoadAgainProps) {
  const [run, { isBusy }] = useAction(load, { inline: true });
  return (
    <span className="-my-2 -ms-2.5">
      <span className="sr-only" role="alert">
        {label}: this number could not be loaded.
      </span>
      {/* Above the link that covers the tile. */}
      <IconButton
        aria-busy={isBusy || undefined}
        className={cn('relative', isBusy && 'animate-spinner')}
        icon={RotateCw}
        label={`Load again: ${label}`}
        onClick={run}
      />
    </span>
  );
}

/** The matches that are drawn first. They fill a phone's screen. */
const FIRST = 4;

function List({ matches: { list } }: { matches: Matches }) {
  const [search, setSearch] = useSearchParams();
  const sortedByUnread = search.get('sort') === 'unread';
  const sorted = useFirstRows(sortedByUnread ? byUnread(list) : list, FIRST);
  const initiallyUnseen = useMarkVisibleSeen(list, search.get(CELEBRATE_PARAM));
  const sort = (next: 'new' | 'unread') =>
    setSearch(next === 'unread' ? { sort: next } : {}, { replace: true });

  return (
    <>
      {list.length > 1 && (
        <fieldset className="mt-5 flex flex-wrap gap-2">
          <legend className="sr-only">Sort by</legend>
          <Chip onClick={() => sort('new')} selected={!sortedByUnread}>
            Newest first
          </Chip>
          <Chip onClick={() => sort('unread')} selected={sortedByUnread}>
            Unread first
          </Chip>
        </fieldset>
      )}
      <ul className="mt-5 grid grid-cols-1 gap-4 md:grid-cols-2 lg:grid-cols-3">
        {sorted.map((match) => (
          <li className="flex" key={match.id}>
            <MatchCard isNew={!match.seen || initiallyUnseen.has(match.id)} match={match} />
          </li>
        ))}
      </ul>
    </>
  );
}

/**
 * Marks the listed matches as seen after a time on the screen, and returns the ids of those that were unseen at first.
 * The match about to be celebrated is marked by its celebration.
 */
function useMarkVisibleSeen(list: Matches['list'], celebrated: string | null): ReadonlySet<string> {
  const db = useDb();
  const [initiallyUnseen, setInitiallyUnseen] = useState<ReadonlySet<string>>(new Set());
  const unseen = list.filter(({ id, seen }) => !seen && id !== celebrated).map(({ id }) => id);
  const unseenIds = unseen.join(' ');
  useEffect(() => {
    if (!unseenIds) return;
    const ids = unseenIds.split(' ');
    setInitiallyUnseen((before) => new Set([...before, ...ids]));
    let timer: ReturnType<typeof setTimeout> | undefined;
    let marked = document.visibilityState !== 'visible';
    const mark = () => {
      if (!marked) void tryMarkMatchesSeen(db, ids);
      marked = true;
    };
    let mounted = true;
    // A hidden tab shows nothing to the member.
    void whenVisible().then(() => {
      if (!mounted) return;
      marked = false;
      timer = setTimeout(mark, SEEN_AFTER_MS);
    });
    // Leaving the screen earlier counts as seen too.
    return () => {
      mounted = false;
      clearTimeout(timer);
      mark();
    };
  }, [unseenIds, db]);
  return initiallyUnseen;
}

function NoMatches() {
  return (
    <EmptyState
      action={<ButtonLink to={paths.home}>Discover People</ButtonLink>}
      art="hearts"
      text="When someone you like likes you back, you will find them here."
      title="No matches yet"
    />
  );
}

function MatchesSkeleton() {
  return (
    <div aria-label="Loading matches" role="status">
      <div className="mt-4 grid grid-cols-[repeat(auto-fit,minmax(5.5rem,1fr))] gap-2 min-[380px]:gap-3">
        {['a', 'b', 'c'].map((key) => (
          <Skeleton className="h-22 rounded-card" key={key} />
        ))}
      </div>
      <div className="mt-6 grid gap-4 md:grid-cols-2 lg:grid-cols-3">
        {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
          <Skeleton className="h-52 rounded-card" key={key} />
        ))}
      </div>
    </div>
  );
}
