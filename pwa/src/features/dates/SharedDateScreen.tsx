import { useQuery } from '@tanstack/react-query';
import { CalendarHeart, MapPin } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useParams } from 'react-router';
import { api, unwrap } from '@/api/client.ts';
import { ApiError } from '@/api/request.ts';
import type { SharedDate } from '@/api/types.ts';
import { Badge, ErrorState, formatDate, formatTime, Mark, RelativeTime, Skeleton, type Tone } from '@/ui';
import { dayOf, timeWithZone, townOf } from './when.ts';

/** How often an open page asks whether something has changed. */
const AGAIN_MS = 120_000;

/**
 * /shared-date/{token}: what a member shows a friend they trust, to whoever has the link. It says the least, keeps
 * nothing on the device, and ends by itself.
 */
export default function SharedDateScreen() {
  const { token = '' } = useParams();
  useQuietPage();
  const { data, error, refetch } = useQuery({
    queryKey: ['shared-date', token],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/shared-dates/{token}', { params: { path: { token } }, signal })),
    gcTime: 0,
    networkMode: 'always',
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }) => (state.data && !state.error ? AGAIN_MS : false),
  });
  const ended = error instanceof ApiError && error.status === 404;
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-lg flex-col px-safe py-6" id="main">
      <p className="mb-6 flex items-center gap-2 font-display font-semibold text-xl">
        <Mark className="size-8" />
        Heartward
      </p>
      {ended ? (
        <Ended />
      ) : data ? (
        <Shared date={data} />
      ) : error ? (
        <ErrorState onRetry={refetch} text={error.message} title="This page could not be read" />
      ) : (
        <div aria-label="Loading the date" role="status">
          <Skeleton className="h-72 rounded-card" />
        </div>
      )}
    </main>
  );
}

/** Nothing is said of a status that only a newer server knows. */
const standings: Partial<Record<SharedDate['status'], { words: string; tone: Tone }>> = {
  accepted: { words: 'Planned', tone: 'sage' },
  proposed: { words: 'A change is being agreed', tone: 'marigold' },
  declined: { words: 'Not happening', tone: 'neutral' },
  cancelled: { words: 'Called off', tone: 'neutral' },
};

function Shared({ date }: { date: SharedDate }) {
  const standing = standings[date.status];
  return (
    <>
      <div className="card p-5" data-testid="shared-date">
        {standing && <Badge tone={standing.tone}>{standing.words}</Badge>}
        <h1 className="mt-3 font-display font-semibold text-2xl [overflow-wrap:anywhere]">
          {date.firstName} is meeting {date.with}
        </h1>
        <Line icon={<MapPin aria-hidden="true" className="size-5" strokeWidth={1.75} />}>{date.place}</Line>
        <Line icon={<CalendarHeart aria-hidden="true" className="size-5" strokeWidth={1.75} />}>
          <time dateTime={date.at}>
            {dayOf(date.at, date.timeZone)}
            <br />
            {timeWithZone(date.at, date.timeZone)}
          </time>
          <span className="block text-muted text-sm">{townOf(date.timeZone)} time</span>
        </Line>
        <p className="mt-5 border-line border-t pt-3 text-muted text-sm">
          Last updated <RelativeTime inSentence value={date.updatedAt} />
        </p>
      </div>
      <p className="mt-4 text-muted text-sm">
        {date.firstName} shared this with you because they trust you. Please keep it to yourself. The link
        ends on {formatDate(date.expiresAt)}, {formatTime(date.expiresAt)}.
      </p>
    </>
  );
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="mt-4 flex items-start gap-3">
      <span className="text-ember-strong">{icon}</span>
      <div className="min-w-0 [overflow-wrap:anywhere]">{children}</div>
    </div>
  );
}

function Ended() {
  return (
    <div className="card p-5 text-center" role="status">
      <h1 className="font-display font-semibold text-2xl">This link has ended</h1>
      <p className="mt-3 text-muted">
        Links to a date stop working by themselves, or when whoever shared them ends it. That alone is no
        reason to worry. To know how they are, ask them.
      </p>
    </div>
  );
}

/** No search engine keeps it and no other site learns of it; the server says the same in its headers. */
function useQuietPage(): void {
  useEffect(() => {
    document.title = 'A shared date · Heartward';
    const tags = Object.entries({ robots: 'noindex, nofollow', referrer: 'no-referrer' }).map(
      ([name, content]) => {
        const tag = document.createElement('meta');
        tag.name = name;
        tag.content = content;
        document.head.append(tag);
        return tag;
      },
    );
    return () => {
      for (const tag of tags) tag.remove();
    };
  }, []);
}
