import { useQuery } from '@tanstack/react-query';
import { CalendarHeart, MapPin } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useLocation } from 'react-router';
import { api, describeLoadError, unwrap } from '@/api/client.ts';
import { ApiError } from '@/api/request.ts';
import type { SharedDate } from '@/api/types.ts';
import { formatDate, formatTime } from '@/base/format.ts';
import { Badge, ErrorState, Logo, RelativeTime, Skeleton, type Tone } from '@/ui';
import { dayOf, timeWithZone, townOf } from './zonedTime.ts';

/** How often an open page is refreshed. */
const REFRESH_MS = 120_000;

/**
 * /shared-date#{token}: a date that a member shares by a link. Everyone with the link can see it. It shows a minimum,
 * stores nothing on the device, and expires.
 */
export default function SharedDateScreen() {
  const token = useLocation().hash.slice(1);
  useNoIndex();
  const { data, error, refetch } = useQuery({
    queryKey: ['shared-date', token],
    queryFn: ({ signal }) => unwrap(api.POST('/api/shared-dates', { body: { token }, signal })),
    gcTime: 0,
    networkMode: 'always',
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }) => (state.data && !state.error ? REFRESH_MS : false),
  });
  const ended = error instanceof ApiError && error.status === 404;
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-lg flex-col px-safe py-6" id="main">
      <p className="mb-6 flex items-center gap-2 font-display font-semibold text-xl">
        <Logo className="size-8" />
        Heartward
      </p>
      {ended ? (
        <LinkEnded />
      ) : data ? (
        <SharedDateCard date={data} />
      ) : error ? (
        <ErrorState onRetry={refetch} text={describeLoadError(error)} title="This page could not be loaded" />
      ) : (
        <div aria-label="Loading the date" role="status">
          <Skeleton className="h-72 rounded-card" />
        </div>
      )}
    </main>
  );
}

/** No label for a status that only a newer server knows. */
const statusLabels: Partial<Record<SharedDate['status'], { label: string; tone: Tone }>> = {
  accepted: { label: 'Planned', tone: 'sage' },
  proposed: { label: 'A change is being agreed', tone: 'marigold' },
  declined: { label: 'Not happening', tone: 'neutral' },
  cancelled: { label: 'Called off', tone: 'neutral' },
};

function SharedDateCard({ date }: { date: SharedDate }) {
  const status = statusLabels[date.status];
  return (
    <>
      <div className="card p-5" data-testid="shared-date">
        {status && <Badge tone={status.tone}>{status.label}</Badge>}
        <h1 className="mt-3 font-display font-semibold text-2xl [overflow-wrap:anywhere]">
          {date.firstName} is meeting {date.with}
        </h1>
        <Detail icon={<MapPin aria-hidden="true" className="size-5" />}>{date.place}</Detail>
        <Detail icon={<CalendarHeart aria-hidden="true" className="size-5" />}>
          <time dateTime={date.at}>
            {dayOf(date.at, date.timeZone)}
            <br />
            {timeWithZone(date.at, date.timeZone)}
          </time>
          <span className="block text-muted text-sm">{townOf(date.timeZone)} time</span>
        </Detail>
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

function Detail({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="mt-4 flex items-start gap-3">
      <span className="text-ember-strong">{icon}</span>
      <div className="min-w-0 [overflow-wrap:anywhere]">{children}</div>
    </div>
  );
}

function LinkEnded() {
  return (
    <div className="card p-5 text-center" role="status">
      <h1 className="font-display font-semibold text-2xl">This link has ended</h1>
      <p className="mt-3 text-muted">
        Links to a date expire, or are ended by the person who shared them. That alone is no reason to worry.
        To check on them, just ask.
      </p>
    </div>
  );
}

/** Keeps the page out of search engines and its address out of referrers; the server sends the same as headers. */
function useNoIndex(): void {
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
