import { describeLoadError } from '@/api/client.ts';
import { ApiError } from '@/api/request.ts';
import type { SharedDay, Together } from '@/api/types.ts';
import { formatCount, formatDate } from '@/base/format.ts';
import { useDay } from '@/base/now.ts';
import { moods } from '@/offline/store/pulses.ts';
import { paths } from '@/session/paths.ts';
import {
  Avatar,
  Button,
  ButtonLink,
  EmptyState,
  ErrorState,
  Screen,
  Skeleton,
  Switch,
  useAction,
} from '@/ui';
import { daysSince, formatLong, lengthOf } from './day.ts';
import { EntryText } from './EntryText.tsx';
import { Keepsake } from './Keepsake.tsx';
import { hasNoSpace, setShares, useSharedDays, useTogether } from './together.ts';

/** /together: the space of a graduated couple. */
export default function TogetherScreen() {
  const { data, error, refetch } = useTogether();
  return (
    <Screen back={paths.graduation} title="Together" width="reading">
      {hasNoSpace(error) ? (
        <EmptyState
          action={<ButtonLink to={paths.graduation}>Graduation</ButtonLink>}
          art="hearts"
          text="This space opens when you graduate together, and closes if you part."
          title="A space for two"
        />
      ) : data ? (
        <Content together={data} />
      ) : error ? (
        <ErrorState
          onRetry={refetch}
          text={
            error instanceof ApiError && error.isNetwork
              ? 'What you share is never stored on a device, so you need a connection to read it.'
              : describeLoadError(error)
          }
          title="We could not load your space"
        />
      ) : (
        <div className="flex flex-col gap-5">
          <Skeleton className="h-72 rounded-card" />
          <Skeleton className="h-48 rounded-card" />
        </div>
      )}
    </Screen>
  );
}

function Content({ together }: { together: Together }) {
  const areSharing = together.sharedSince !== null;
  return (
    <div className="flex flex-col gap-5 pb-8">
      <Couple together={together} />
      <Keepsake together={together} />
      <Sharing together={together} />
      {areSharing && <Days partner={together.partner.firstName} />}
    </div>
  );
}

/** Their story: since when, and the words of their request. */
function Couple({ together: { partner, matchedAt, graduatedAt, legacyMessage } }: { together: Together }) {
  useDay();
  const now = new Date();
  return (
    <section aria-label="The two of you" className="card flex flex-col gap-5 p-5">
      <div className="flex flex-wrap items-center gap-4">
        <Avatar size="lg" user={partner} />
        <div className="min-w-[min(100%,12rem)] flex-1">
          <h2 className="font-display font-semibold text-xl">
            You and <bdi>{partner.firstName}</bdi>
          </h2>
          <p className="mt-1 text-muted">
            You found each other on {formatDate(matchedAt)}, {lengthOf(matchedAt, now)} ago, and graduated on{' '}
            {formatDate(graduatedAt)}.
          </p>
        </div>
      </div>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,7rem),1fr))] gap-3 text-center">
        <DayCount count={daysSince(matchedAt, now)} what="you matched" />
        <DayCount count={daysSince(graduatedAt, now)} what="you graduated" />
      </dl>
      {legacyMessage && (
        <blockquote
          className="wrap-anywhere whitespace-pre-line border-plum border-s-4 ps-4 font-display text-lg"
          dir="auto"
        >
          {legacyMessage}
        </blockquote>
      )}
    </section>
  );
}

function DayCount({ count, what }: { count: number; what: string }) {
  return (
    <div className="flex flex-col-reverse rounded-control bg-raised p-3">
      <dt className="text-muted text-sm">
        {count === 0 ? what : `${count === 1 ? 'day' : 'days'} since ${what}`}
      </dt>
      <dd className="font-display font-semibold text-2xl">{count === 0 ? 'Today' : formatCount(count)}</dd>
    </div>
  );
}

function Sharing({ together: { partner, shares, partnerShares, sharedSince } }: { together: Together }) {
  const [change, { running }] = useAction(setShares, { errorTitle: 'Error' });

  return (
    <section aria-label="Sharing" className="card p-5">
      <Switch
        // What the member has just chosen, until the server has answered.
        checked={running?.[0] ?? shares}
        hint="Each of you sees what the other writes while you both have this on. Either of you can turn it off at any time; then neither of you sees anything."
        label={<span className="font-display font-semibold text-lg">Share my Love Pulse</span>}
        onChange={change}
      />
      <p aria-live="polite" className="mt-3 border-line border-t pt-3 text-sm">
        {sharedSince ? (
          <>You have both been sharing since {formatDate(sharedSince)}.</>
        ) : partnerShares ? (
          <>
            <bdi>{partner.firstName}</bdi> would like to share. Turn it on if you would, too.
          </>
        ) : shares ? (
          <>
            <bdi>{partner.firstName}</bdi> does not share, or not yet. Until then nobody but you can read
            yours.
          </>
        ) : (
          <>Your Love Pulse is private. Nobody but you can read it.</>
        )}
      </p>
    </section>
  );
}

function Days({ partner }: { partner: string }) {
  const days = useSharedDays();
  if (!days.data)
    return days.error ? (
      <ErrorState
        onRetry={() => days.refetch()}
        text={describeLoadError(days.error)}
        title="We could not load your days"
      />
    ) : (
      <Skeleton className="h-48 rounded-card" />
    );
  if (days.data.length === 0)
    return (
      <EmptyState
        action={<ButtonLink to={paths.lovePulse}>Today's question</ButtonLink>}
        art="letters"
        text="What each of you writes from now on is here for both."
        title="Nothing shared yet"
      />
    );
  return (
    <section aria-labelledby="together-days">
      <h2 className="font-display font-semibold text-lg" id="together-days">
        Your days
      </h2>
      <ol className="mt-3 flex flex-col gap-4">
        {days.data.map((day) => (
          <Day day={day} key={day.date} partner={partner} />
        ))}
      </ol>
      {days.hasNextPage && (
        <Button
          busy={days.isFetchingNextPage}
          className="mt-4"
          onClick={() => void days.fetchNextPage()}
          variant="secondary"
        >
          Show more
        </Button>
      )}
    </section>
  );
}

function Day({
  day: { date, question, mine, theirs, sameMood },
  partner,
}: {
  day: SharedDay;
  partner: string;
}) {
  return (
    <li className="card p-5">
      <p className="text-muted text-sm">{formatLong(date)}</p>
      <h3 className="mt-1 font-semibold">{question}</h3>
      <dl className="mt-3 grid gap-3 sm:grid-cols-2">
        <Side entry={theirs} name={partner} />
        <Side entry={mine} name="You" />
      </dl>
      {sameMood && mine && (
        <p className="mt-3 rounded-control bg-plum-soft px-3 py-2 text-plum text-sm">
          <span aria-hidden="true">{moods[mine.mood].emoji}</span> You both felt{' '}
          {moods[mine.mood].label.toLowerCase()}.
        </p>
      )}
    </li>
  );
}

function Side({ name, entry }: { name: string; entry: SharedDay['mine'] }) {
  return (
    <div className="rounded-control bg-raised p-3">
      <dt className="text-muted text-sm">
        <bdi>{name}</bdi>
      </dt>
      <dd>{entry ? <EntryText entry={entry} /> : <span className="text-muted">Nothing written</span>}</dd>
    </div>
  );
}
