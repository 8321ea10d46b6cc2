import { CalendarHeart, Heart, type LucideIcon, MessagesSquare } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { paths } from '@/session/paths.ts';
import { ButtonLink, Chip, EmptyState, ErrorState, Screen, Skeleton } from '@/ui';
import { MatchCard } from './MatchCard.tsx';
import { MatchesNav } from './MatchesNav.tsx';
import { byUnread, type Matches, noteSeen, useMatches, usePlannedDates } from './matches.ts';
import { CELEBRATE, whenVisible } from './moments.ts';

/** Long enough on the screen to have been looked at. */
const LOOK_MS = 1200;

/** Everybody who liked the member back; `notice` stands below them, where it moves nothing when it comes late. */
export default function MatchesScreen({ notice }: { notice?: ReactNode }) {
  const { data, state, refresh } = useMatches();
  return (
    <Screen title="Your Matches">
      <MatchesNav />
      <p className="text-muted">People who liked you back!</p>
      {state === 'loading' && <Waiting />}
      {state === 'error' && <ErrorState onRetry={refresh} title="Failed to fetch matches" />}
      {data && (state === 'ready' || state === 'empty') && (
        <>
          <Tiles matches={data} />
          {state === 'ready' ? <List matches={data} /> : <Nobody />}
        </>
      )}
      <div className="mt-5 empty:hidden">{notice}</div>
    </Screen>
  );
}

function Tiles({ matches }: { matches: Matches }) {
  const planned = usePlannedDates().data ?? 0;
  const tiles: { icon: LucideIcon; count: number; label: string; look: string; to?: string }[] = [
    {
      icon: Heart,
      count: matches.list.length,
      label: 'Total matches',
      look: 'bg-ember-soft text-ember-strong',
    },
    {
      icon: MessagesSquare,
      count: matches.conversations,
      label: 'Conversations',
      look: 'bg-plum-soft text-plum',
    },
    {
      icon: CalendarHeart,
      count: planned,
      label: 'Dates planned',
      look: 'bg-sage-soft text-sage',
      to: paths.dates,
    },
  ];
  return (
    <dl className="mt-4 grid grid-cols-3 gap-2 min-[380px]:gap-3">
      {tiles.map(({ icon: Icon, count, label, look, to }) => (
        <div
          className={`relative flex flex-col-reverse rounded-card px-1.5 py-3 min-[380px]:px-3 md:p-5 ${look}`}
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
          <dd className="flex items-center justify-between font-display font-semibold text-2xl tabular-nums">
            {count}
            <Icon aria-hidden="true" className="size-6 opacity-70" strokeWidth={1.75} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function List({ matches: { list } }: { matches: Matches }) {
  const [search, setSearch] = useSearchParams();
  const sortedByUnread = search.get('sort') === 'unread';
  const fresh = useLookedAt(list, search.get(CELEBRATE));
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
      <ul className="mt-5 grid gap-4 md:grid-cols-2 lg:grid-cols-3">
        {(sortedByUnread ? byUnread(list) : list).map((match) => (
          <li className="flex" key={match.id}>
            <MatchCard isNew={!match.seen || fresh.has(match.id)} match={match} />
          </li>
        ))}
      </ul>
    </>
  );
}

/**
 * Marks what is on the screen as seen once the member has looked at it; resolves to those that were new when they
 * came. The match about to be celebrated is left to the celebration.
 */
function useLookedAt(list: Matches['list'], celebrated: string | null): ReadonlySet<string> {
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const unseen = list.filter(({ id, seen }) => !seen && id !== celebrated).map(({ id }) => id);
  const unseenIds = unseen.join(' ');
  useEffect(() => {
    if (!unseenIds) return;
    const ids = unseenIds.split(' ');
    setFresh((before) => new Set([...before, ...ids]));
    let timer: ReturnType<typeof setTimeout> | undefined;
    let looked = document.visibilityState !== 'visible';
    const look = () => {
      if (!looked) void noteSeen(ids);
      looked = true;
    };
    let here = true;
    // Nobody looks at a tab in the background.
    void whenVisible().then(() => {
      if (!here) return;
      looked = false;
      timer = setTimeout(look, LOOK_MS);
    });
    // Whoever leaves sooner has seen them as well.
    return () => {
      here = false;
      clearTimeout(timer);
      look();
    };
  }, [unseenIds]);
  return fresh;
}

function Nobody() {
  return (
    <EmptyState
      action={<ButtonLink to={paths.home}>Discover People</ButtonLink>}
      art="hearts"
      text="When someone you like likes you back, you will find them here."
      title="No matches yet"
    />
  );
}

function Waiting() {
  return (
    <div aria-label="Loading matches" role="status">
      <div className="mt-4 grid grid-cols-3 gap-2 min-[380px]:gap-3">
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
