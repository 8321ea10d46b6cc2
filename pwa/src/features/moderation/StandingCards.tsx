import { useQuery } from '@tanstack/react-query';
import { describeLoadError } from '@/api/client.ts';
import type { Me, Standing } from '@/api/types.ts';
import { formatDate } from '@/base/format.ts';
import { useFailure } from '@/offline/store/cached.ts';
import { ErrorState, Skeleton } from '@/ui';
import { NewAppeal, Quote, SentAppeal } from './Appeal.tsx';
import { ModeratorForm } from './ModeratorForm.tsx';
import { StatementOfReasons } from './StatementOfReasons.tsx';
import { describeEffect, describeRestriction, sendStatement, standingQuery } from './standing.ts';

/** Says why the account is restricted and until when, with the appeal against it. */
export function StandingCards({ me }: { me: Me }) {
  const query = useQuery(standingQuery);
  const failure = useFailure(query);
  const standing = query.data;
  const status = standing && standing.status !== 'active' ? standing.status : me.profileStatus;
  return (
    <>
      <section className="card p-5">
        <h1 className="font-display font-semibold text-2xl" tabIndex={-1}>
          {describeRestriction(status, standing)}
        </h1>
        {standing && (
          <>
            <p className="mt-3 text-muted">{describeEffect(status, standing)}</p>
            {standing.sanction && <Decision sanction={standing.sanction} />}
          </>
        )}
        {!standing && failure && (
          <ErrorState
            onRetry={query.refetch}
            text={describeLoadError(failure)}
            title="The reason could not be loaded"
          />
        )}
        {!standing && !failure && (
          <div aria-label="Loading the reason" className="mt-3 flex flex-col gap-3" role="status">
            <Skeleton className="h-12" />
            <Skeleton className="h-24" />
          </div>
        )}
      </section>
      {standing && <WhatYouCanDo standing={standing} />}
    </>
  );
}

type Sanction = NonNullable<Standing['sanction']>;

function Decision({ sanction }: { sanction: Sanction }) {
  return (
    <div className="mt-4">
      <h2 className="font-semibold">What the moderator wrote on {formatDate(sanction.createdAt)}</h2>
      {sanction.deletesAt && (
        <p className="mt-2">
          We think that you are not 18 yet, so we delete this account on {formatDate(sanction.deletesAt)}. If
          you are 18 or older, please appeal before then, and we'll tell you how to show your age. If you are
          younger, you are welcome here once you are 18.
        </p>
      )}
      <Quote>{sanction.explanation || 'A message you sent was not in the spirit of the Honor Code.'}</Quote>
      {sanction.reasons && <StatementOfReasons reasons={sanction.reasons} />}
    </div>
  );
}

function WhatYouCanDo({
  standing: { sanction, appeal, contact, underReport, statement, ageAsked },
}: {
  standing: Standing;
}) {
  return (
    <section className="card p-5">
      <h2 className="font-display font-semibold text-lg">
        {underReport ? 'Your side' : 'If you think this is wrong'}
      </h2>
      {underReport && ageAsked && (
        <p className="mt-2 rounded-card bg-plum-soft p-3 text-plum">
          A moderator asks you to show that you are 18 or older. Please write to the address below, and we'll
          tell you how.
        </p>
      )}
      {underReport && <YourSide statement={statement} />}
      {sanction && !appeal && <NewAppeal sanctionId={sanction.id} />}
      {appeal && <SentAppeal appeal={appeal} />}
      {contact && (
        <p className="mt-4 text-muted">
          You can also write to{' '}
          <a className="font-semibold text-ember-strong underline" href={`mailto:${contact}`}>
            <bdi>{contact}</bdi>
          </a>
          .
        </p>
      )}
    </section>
  );
}

/** The one statement of a hidden member. */
function YourSide({ statement }: { statement: Standing['statement'] }) {
  if (statement)
    return (
      <div role="status">
        <p className="mt-1 text-muted">
          You wrote this on {formatDate(statement.createdAt)}. The moderator reads it before the decision.
        </p>
        <Quote>{statement.text}</Quote>
      </div>
    );
  return (
    <>
      <p className="mt-1 text-muted">
        There is nothing you have to do. If you like, tell the moderator what they should know. You can write
        once.
      </p>
      <ModeratorForm
        button="Send statement"
        hint="Only moderators read it."
        label="Your statement"
        missing="Please write what the moderator should know."
        onSend={sendStatement}
      />
    </>
  );
}
