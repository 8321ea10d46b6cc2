import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api, describeLoadError, unwrapPage } from '@/api/client.ts';
import type { OwnDecision, OwnReport } from '@/api/types.ts';
import { formatDate } from '@/base/format.ts';
import { paths } from '@/session/paths.ts';
import { Button, ErrorState, Screen, Skeleton } from '@/ui';
import { NewAppeal, Quote, SentAppeal } from './Appeal.tsx';
import { reasonGroups } from './reasons.ts';
import { StatementOfReasons } from './StatementOfReasons.tsx';
import { decisionsQuery } from './standing.ts';

const useOwnReports = () =>
  useInfiniteQuery({
    queryKey: ['own-reports'],
    queryFn: ({ pageParam }) =>
      unwrapPage(api.GET('/api/reports', { params: { query: { cursor: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: 0,
    gcTime: 0,
  });

/** /decisions: the reports that the member made with their outcome, and what moderators decided about the account. */
export default function DecisionsScreen() {
  return (
    <Screen back={paths.settings} title="Reports and decisions" width="reading">
      <Reports />
      <Decisions />
    </Screen>
  );
}

function Reports() {
  const query = useOwnReports();
  const rows = query.data?.pages.flatMap(({ items }) => items);
  return (
    <section className="card p-5">
      <h2 className="font-display font-semibold text-lg">What you reported</h2>
      {rows ? (
        <ul className="mt-2 divide-y divide-line">
          {rows.map((report) => (
            <li className="py-3" key={report.id}>
              <p className="font-semibold" dir="auto">
                {describeReported(report)}
              </p>
              <p className="text-muted text-sm">
                {formatDate(report.createdAt)}. {describeOutcome(report)}
              </p>
              {report.answer && <Quote>{report.answer}</Quote>}
            </li>
          ))}
        </ul>
      ) : (
        <LoadingOrError query={query} />
      )}
      {rows?.length === 0 && <p className="text-muted">You haven't reported anyone.</p>}
      {query.hasNextPage && (
        <Button
          busy={query.isFetchingNextPage}
          className="mt-3"
          onClick={() => void query.fetchNextPage()}
          size="sm"
          variant="secondary"
        >
          Show more
        </Button>
      )}
    </section>
  );
}

const reasonLabels = Object.fromEntries(
  reasonGroups.flatMap(({ reasons }) => reasons.map(({ value, label }) => [value, label])),
);

function describeReported({ place, reason, user }: OwnReport): string {
  if (place === 'rules') return 'An issue';
  const name = user?.firstName ?? 'A former member';
  const what = place === 'post' || place === 'comment' ? `A ${place} by ${name}` : name;
  return `${what}: ${reasonLabels[reason]}`;
}

function describeOutcome({ decidedAt, outcome }: OwnReport): string {
  if (!decidedAt) return 'A moderator is going to look into it.';
  if (!outcome) return `Answered on ${formatDate(decidedAt)}.`;
  return outcome === 'action'
    ? `On ${formatDate(decidedAt)} we took action. Thank you for telling us.`
    : `On ${formatDate(decidedAt)} we found nothing that called for action.`;
}

function Decisions() {
  const query = useQuery(decisionsQuery);
  return (
    <section className="card mt-4 p-5">
      <h2 className="font-display font-semibold text-lg">Decisions about your account</h2>
      {query.data ? (
        <ul className="mt-2 divide-y divide-line">
          {query.data.map((decision) => (
            <Decision all={query.data} decision={decision} key={decision.id} />
          ))}
        </ul>
      ) : (
        <LoadingOrError query={query} />
      )}
      {query.data?.length === 0 && <p className="text-muted">There are none.</p>}
    </section>
  );
}

const titles: Record<OwnDecision['kind'], string> = {
  warning: 'A warning',
  removal: 'Parts of your profile were removed',
  suspension: 'A suspension',
  ban: 'A suspension for good',
  review: 'A review of your profile',
  reinstatement: 'Your account is active again',
  reversal: 'A decision was taken back',
};

/** Returns what a decision is, with what it did beside. */
const titleOf = ({ kind, parts }: OwnDecision): string =>
  titles[kind] + (parts.length > 0 && kind !== 'removal' ? ' and the removal of parts of your profile' : '');

type DecisionProps = { decision: OwnDecision; all: OwnDecision[] };

function Decision({ decision, all }: DecisionProps) {
  const { explanation, createdAt, suspendedUntil, appeal, mayAppeal, id, reasons, reversedAt } = decision;
  const takenBack = all.filter(({ reversedBy }) => reversedBy === id);
  return (
    <li className="py-3">
      <h3 className="font-semibold">
        {titleOf(decision)}, {formatDate(createdAt)}
        {suspendedUntil && `, until ${formatDate(suspendedUntil)}`}
      </h3>
      {takenBack.map((other) => (
        <p className="text-muted text-sm" key={other.id}>
          It takes this back: {titleOf(other).toLowerCase()}, {formatDate(other.createdAt)}.
        </p>
      ))}
      {reversedAt && <p className="text-sm">Taken back on {formatDate(reversedAt)}. It no longer counts.</p>}
      {explanation && <Quote>{explanation}</Quote>}
      {reasons && (
        <details className="mt-2">
          <summary className="min-h-6 cursor-pointer font-semibold text-ember-strong">The reasons</summary>
          <StatementOfReasons reasons={reasons} />
        </details>
      )}
      {appeal && <SentAppeal appeal={appeal} />}
      {mayAppeal && (
        <details className="mt-2">
          <summary className="cursor-pointer font-semibold text-ember-strong">Appeal</summary>
          <NewAppeal sanctionId={id} />
        </details>
      )}
    </li>
  );
}

type LoadingOrErrorProps = { query: { error: Error | null; refetch: () => unknown } };

function LoadingOrError({ query: { error, refetch } }: LoadingOrErrorProps) {
  return error ? (
    <ErrorState onRetry={refetch} text={describeLoadError(error)} title="The list could not be loaded" />
  ) : (
    <div aria-label="Loading" className="mt-3" role="status">
      <Skeleton className="h-12" />
    </div>
  );
}
