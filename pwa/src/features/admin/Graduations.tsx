import { useState } from 'react';
import type { OpenedCouple, QueuedCouple } from '@/api/types.ts';
import { RelativeTime } from '@/ui';
import { decideGraduation, openGraduation, refreshQueue, useGraduations } from './adminRequests.ts';
import { MemberLink } from './MemberLink.tsx';
import { OpenForm } from './OpenForm.tsx';
import { Outcome } from './Outcome.tsx';
import { useClaim } from './queueRequests.ts';
import { ReasonedDecision } from './ReasonedDecision.tsx';
import { ReviewPicture } from './ReviewPicture.tsx';
import { Queue, QueueRow, Split } from './Split.tsx';

/** The couples that wait, those first who have waited longest, and the open one. */
export function Graduations({ id }: { id?: string }) {
  const query = useGraduations();
  const rows = query.data ?? [];
  const at = rows.findIndex((row) => row.id === id);
  return (
    <Split
      entry={id ? <CoupleEntry id={id} key={id} nextId={rows[at + 1]?.id} queued={rows[at]} /> : null}
      hint="Choose a couple. What it wants to have on the wall is shown after you say why you open it."
      list={
        <Queue
          empty={{ title: 'No couples wait', text: 'New ones appear here when both have said yes.' }}
          label="Pending graduations"
          query={query}
        >
          {(row) => (
            <li key={row.id}>
              <QueueRow id={row.id} open={row.id === id} tab="graduations">
                <span className="flex items-center gap-2">
                  <span className="font-semibold" dir="auto">
                    {row.userOne.fullName} &amp; {row.userTwo.fullName}
                  </span>
                  <RelativeTime className="ms-auto text-muted text-xs" value={row.acceptedAt} />
                </span>
              </QueueRow>
            </li>
          )}
        </Queue>
      }
      tab="graduations"
    />
  );
}

type Decision = 'approve' | 'reject';

const choices = [
  {
    value: 'approve' as const,
    label: 'Approve',
    hint: 'Both leave discovery, and are on the wall if both want it.',
    reason: 'Nothing against the rules.',
    done: 'Graduation approved successfully',
  },
  { value: 'reject' as const, label: 'Reject', hint: 'Both see the reason and can ask again.' },
];

type CoupleProps = { id: string; queued?: QueuedCouple; nextId?: string };

/** A couple. Its part of the wall is shown after a reason is given, and the outcome after the decision. */
export function CoupleEntry({ id, queued, nextId }: CoupleProps) {
  const [opened, setOpened] = useState<OpenedCouple>();
  const [decision, setDecision] = useState<Decision>();
  // The row leaves the list with the decision, and with it the next one.
  const [next] = useState(nextId);
  useClaim('graduation', id, opened);

  async function decide(value: Decision, reason: string) {
    await decideGraduation(id, value, reason);
    setDecision(value);
    void refreshQueue('graduations');
  }

  return (
    <article aria-label="Couple" className="flex flex-col gap-5">
      <section className="card flex flex-col gap-4 p-5">
        <CoupleHead couple={opened ?? queued} opened={opened} />
        {!opened && (
          <OpenForm
            askOnceFor="graduation"
            label="Open graduation"
            onOpen={async (reason) => setOpened(await openGraduation(id, reason))}
          />
        )}
      </section>
      {decision ? (
        <Outcome nextId={next} tab="graduations" title={decision === 'approve' ? 'Approved' : 'Rejected'}>
          <p>Both are told.</p>
        </Outcome>
      ) : (
        opened && (
          <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_22rem]">
            <Contents couple={opened} />
            <div className="xl:sticky xl:top-20">
              <ReasonedDecision
                choices={choices}
                done="Graduation decided"
                hint="A rejected couple sees it."
                onDecide={decide}
              />
            </div>
          </div>
        )
      )}
    </article>
  );
}

/** The names, who asked and since when they wait; for an opened couple also whether both want to be on the wall. */
function CoupleHead({ couple, opened }: { couple?: QueuedCouple | OpenedCouple; opened?: OpenedCouple }) {
  if (!couple) return <h2 className="font-display font-semibold text-xl">A couple</h2>;
  return (
    <>
      <h2 className="font-display font-semibold text-xl" dir="auto">
        <MemberLink member={couple.userOne} /> &amp; <MemberLink member={couple.userTwo} />
      </h2>
      <p className="text-muted">
        <bdi>{couple.userOne.firstName}</bdi> asked, <bdi>{couple.userTwo.firstName}</bdi> said yes{' '}
        <RelativeTime inSentence value={couple.acceptedAt} />.{' '}
        {opened &&
          (opened.showOnLegacyWall
            ? 'Both want to be on the wall.'
            : 'They do not both want to be on the wall.')}
      </p>
    </>
  );
}

function Contents({ couple }: { couple: OpenedCouple }) {
  return (
    <div className="card flex flex-col gap-5 p-5">
      {couple.legacyMessage ? (
        <p className="wrap-anywhere whitespace-pre-line" dir="auto">
          {couple.legacyMessage}
        </p>
      ) : (
        <p className="text-muted">No legacy message.</p>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        {(couple.pictures ?? []).map((picture, index) => (
          <ReviewPicture address={picture.url} key={picture.id} label={`Picture ${index + 1}`} />
        ))}
      </div>
    </div>
  );
}
