import { Sparkles } from 'lucide-react';
import { type ReactNode, startTransition, useEffect, useEffectEvent, useRef, useState } from 'react';
import { describeLoadError } from '@/api/client.ts';
import type { FilterPreview, FilterSet } from '@/api/types.ts';
import { formatCount } from '@/base/format.ts';
import { storageKeys } from '@/base/storage.ts';
import { useDb, useLive } from '@/offline/store/cached.ts';
import { whenIdle } from '@/offline/store/idle.ts';
import type { FeedRow } from '@/offline/store/rows.ts';
import { Badge, Button, cn, ErrorState, Illustration, Screen, Skeleton, useAction, useFirstRows } from '@/ui';
import { DiscoverCard } from './DiscoverCard.tsx';
import { FilterPanel } from './FilterPanel.tsx';
import { fetchNextCandidates, totalOf, useFeed } from './feed.ts';
import { sameFilters } from './filterSet.ts';
import { useFilters, usePreview } from './filters.ts';
import { NoMatches } from './NoMatches.tsx';
import { newPeopleText } from './newPeople.ts';
import { useRequested } from './requested.ts';

const resultsHeader = 'mb-3 flex flex-wrap items-center justify-between gap-x-2 md:mb-4';
const grid = 'remember-heights grid grid-cols-1 gap-4 min-[520px]:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4';

type DiscoverScreenProps = {
  actions?: ReactNode;
  notice?: ReactNode;
  /** Whether the first visit begins with a banner; without it, with one line as later visits do. */
  hasBanner: boolean;
};

/** All candidates as a grid with infinite scrolling, below a notice. */
export default function DiscoverScreen({ actions, notice, hasBanner }: DiscoverScreenProps) {
  const { data, state, error, refreshing, refresh } = useFeed('discover');
  const { filters, apply, applying } = useFilters();
  /** The filters in the open editor, while they are not applied. */
  const [draft, setDraft] = useState<FilterSet | null>(null);
  const changed = draft && filters && !sameFilters(draft, filters) ? draft : null;
  const { preview, waiting } = usePreview(changed ?? undefined, PREVIEWED);
  return (
    <Screen actions={actions} title="Discover">
      {notice}
      {/* The empty state and an error have an illustration of their own. */}
      {state !== 'empty' && state !== 'error' && <Hero hasBanner={hasBanner} />}
      <FilterPanel filters={filters} onApply={apply} onDraft={setDraft} />
      {changed && preview ? (
        <Dimmed dimmed={applying || waiting}>
          <Results count={preview.count} more={preview.more} rows={rowsOf(preview)} />
          <NewPeopleNote at={preview.newPeopleAt} />
        </Dimmed>
      ) : (
        <>
          {state === 'loading' && <GridSkeleton />}
          {state === 'error' && (
            <ErrorState onRetry={refresh} text={describeLoadError(error)} title="Failed to fetch users" />
          )}
          {state === 'empty' && (
            <NoMatches
              applying={applying}
              busy={refreshing}
              filters={filters}
              newPeopleAt={data?.newPeopleAt}
              onApply={apply}
              onRefresh={refresh}
            />
          )}
          {state === 'ready' && data && (
            <Dimmed dimmed={applying}>
              <Results {...totalOf(data)} rows={data.rows} />
              {data.next ? <LoadMoreOnScroll key={data.next} /> : <NewPeopleNote at={data.newPeopleAt} />}
            </Dimmed>
          )}
        </>
      )}
    </Screen>
  );
}

/** The number of members shown for filters that are not applied. */
const PREVIEWED = 12;

/** The rows of the members in a preview, which are not stored. */
const rowsOf = ({ candidates }: FilterPreview): FeedRow[] =>
  candidates.map((candidate, rank) => ({
    list: 'discover',
    id: candidate.id,
    rank,
    candidate,
    fetchedAt: 0,
  }));

/** Dims the pictures alone: dimmed text is hard to read. */
function Dimmed({ dimmed, children }: { dimmed: boolean; children: ReactNode }) {
  return (
    <div aria-busy={dimmed} className={dimmed ? '[&_img]:opacity-55' : ''}>
      {children}
    </div>
  );
}

/**
 * The introduction of the screen: a banner the first time on a device, one line afterwards. On a phone it is low, so
 * that people come first.
 */
function Hero({ hasBanner }: Pick<DiscoverScreenProps, 'hasBanner'>) {
  const [isFirstVisit] = useState(() => localStorage.getItem(storageKeys.discoverSeen) === null);
  useEffect(() => {
    if (hasBanner) localStorage.setItem(storageKeys.discoverSeen, '1');
  }, [hasBanner]);
  const title = 'Someone worth an unhurried evening';
  if (!isFirstVisit || !hasBanner) {
    return (
      <h2 className="mb-1 font-display font-semibold text-ember-strong text-lg leading-6 md:mb-3">{title}</h2>
    );
  }
  return (
    <section className="@container relative mb-2 overflow-hidden rounded-card bg-ember-soft px-4 py-2 md:mb-4 md:px-8 md:py-6">
      <div className="relative md:max-w-[calc(100%-9.5rem)]">
        <h2 className="font-display font-semibold text-base text-ember-strong leading-6 md:text-xl lg:text-2xl lg:leading-8">
          {title}
        </h2>
        <p className="max-md:@min-[17rem]:max-w-[70%] text-sm leading-4.5 md:mt-1 md:text-base">
          People near you who want what you want, the best fit first.
        </p>
      </div>
      <Illustration
        className="absolute inset-e-1 -bottom-3 hidden w-20 @min-[17rem]:block md:inset-e-8 md:bottom-0 md:w-36"
        name="people"
      />
    </section>
  );
}

/**
 * The cards that are drawn at a time. They fill the screen and the space below it in which the next page is loaded. The
 * pictures of all but two are in the first view.
 */
const drawnAtATime = () => (matchMedia('(min-width: 520px)').matches ? 6 : 3);

function Results({ rows, count, more }: { rows: FeedRow[]; count: number; more: boolean }) {
  const matchIds = useLive(async (db) => {
    const matches = await db.matches.toArray();
    return new Map(matches.map((match) => [match.user.id, match.id]));
  });
  const requested = useRequested();
  const [step] = useState(drawnAtATime);
  const drawn = useFirstRows(rows, step);
  const measured = useMeasured(drawn);
  return (
    <>
      <div className={resultsHeader}>
        <h2 aria-live="polite" className="font-semibold text-sm sm:font-display sm:text-lg">
          Found {formatCount(count)}
          {more && '+'} compatible {count === 1 && !more ? 'match' : 'matches'}
        </h2>
        <Badge className="max-sm:bg-transparent max-sm:p-0 max-sm:leading-4" tone="plum">
          <Sparkles aria-hidden="true" className="size-3.5" />
          Smart Matching Active
        </Badge>
      </div>
      <ul className={grid}>
        {drawn.map((row, index) => (
          <li className={cn('flex', measured.has(row.id) && 'skip-unseen')} key={row.id}>
            <DiscoverCard
              eager={index < step - 2}
              isRequested={requested.has(row.id)}
              matchId={matchIds?.get(row.id)}
              row={row}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

/**
 * Returns the ids of the rows that were drawn some time ago, so that the browser remembers their heights: only those may be
 * skipped while they are not seen, or the list would change its height below a restored scroll position.
 */
function useMeasured(drawn: FeedRow[]): ReadonlySet<string> {
  const [measured, setMeasured] = useState<ReadonlySet<string>>(new Set());
  const ids = drawn.map(({ id }) => id).join(' ');
  useEffect(() => {
    let isCurrent = true;
    void whenIdle().then(() => {
      if (isCurrent) startTransition(() => setMeasured(new Set(ids.split(' '))));
    });
    return () => {
      isCurrent = false;
    };
  }, [ids]);
  return measured;
}

/** Says when more people are shown, if the list lacks some because of the daily limit. */
function NewPeopleNote({ at }: { at: string | null }) {
  const text = newPeopleText(at);
  return text && <p className="mx-auto max-w-prose py-6 text-center text-muted">{text}</p>;
}

/** Fetches the next page when the end of the grid is near. After a failure it says why, and a button retries. */
function LoadMoreOnScroll() {
  const db = useDb();
  const ref = useRef<HTMLDivElement>(null);
  const [load, { error }] = useAction(() => fetchNextCandidates(db, 'discover'), {
    inline: true,
    errorText: describeLoadError,
  });
  const loadNext = useEffectEvent(() => load());
  useEffect(() => {
    if (!ref.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && loadNext(), {
      rootMargin: '1200px 0px',
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);

  return (
    <div className="mt-4" ref={ref}>
      {error ? (
        <p className="py-4 text-center text-muted">
          {error}{' '}
          <Button onClick={load} variant="ghost">
            Try again
          </Button>
        </p>
      ) : (
        <div aria-label="Loading more people" className={grid} role="status">
          <CardSkeleton />
          <CardSkeleton />
        </div>
      )}
    </div>
  );
}

function GridSkeleton() {
  return (
    <div aria-label="Loading people" role="status">
      <div className={resultsHeader}>
        <Skeleton className="h-5 w-44 sm:h-6.5 sm:w-60" />
        <Skeleton className="h-4 w-36 rounded-full sm:h-6 sm:w-44" />
      </div>
      <div className={grid}>
        {['a', 'b', 'c', 'd'].map((key) => (
          <CardSkeleton key={key} />
        ))}
      </div>
    </div>
  );
}

function CardSkeleton() {
  return (
    <div className="card overflow-hidden">
      <Skeleton className="aspect-square rounded-none min-[520px]:aspect-4/5" />
      <div className="space-y-3 p-4">
        <Skeleton className="h-6 w-2/3" />
        <Skeleton className="h-4" />
        <Skeleton className="h-11" />
      </div>
    </div>
  );
}
