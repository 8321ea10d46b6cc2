import { useState } from 'react';
import type { PendingSelfie, QueuedVerification } from '@/api/types.ts';
import { Badge, RelativeTime } from '@/ui';
import { describeMember } from './adminLabels.ts';
import { decideVerification, openVerification, refreshQueue, useVerifications } from './adminRequests.ts';
import { OpenForm } from './OpenForm.tsx';
import { Outcome } from './Outcome.tsx';
import { useClaim } from './queueRequests.ts';
import { ReasonedDecision } from './ReasonedDecision.tsx';
import { ReviewPicture } from './ReviewPicture.tsx';
import { Queue, QueueRow, Split } from './Split.tsx';

/** The pending selfies, the oldest first, and the open one beside the member's photos. */
export function Verifications({ id }: { id?: string }) {
  const query = useVerifications();
  const rows = query.data ?? [];
  const at = rows.findIndex((row) => row.id === id);
  return (
    <Split
      entry={id ? <VerificationEntry id={id} key={id} nextId={rows[at + 1]?.id} queued={rows[at]} /> : null}
      hint="Choose a selfie. It is shown beside the photos after you say why you open it."
      list={
        <Queue
          empty={{ title: 'No selfies to compare', text: 'New ones appear here.' }}
          label="Pending selfies"
          query={query}
        >
          {(row) => (
            <li key={row.id}>
              <QueueRow id={row.id} open={row.id === id} tab="verifications">
                <span className="flex items-center gap-2">
                  <span className="font-semibold" dir="auto">
                    {describeMember(row.user)}
                  </span>
                  <RelativeTime className="ms-auto text-muted text-xs" value={row.submittedAt} />
                </span>
              </QueueRow>
            </li>
          )}
        </Queue>
      }
      tab="verifications"
    />
  );
}

type Decision = 'approve' | 'reject';

const choices = [
  {
    value: 'approve' as const,
    label: 'Approve',
    hint: 'The member gets the badge.',
    reason: 'The selfie shows the pose and the person of the photos.',
  },
  { value: 'reject' as const, label: 'Reject', hint: 'The member sees the reason and can try again.' },
];

type VerificationProps = { id: string; queued?: QueuedVerification; nextId?: string };

/** A selfie. It is shown beside the member's photos after a reason is given, and the outcome after the decision. */
export function VerificationEntry({ id, queued, nextId }: VerificationProps) {
  const [opened, setOpened] = useState<PendingSelfie>();
  const [decision, setDecision] = useState<Decision>();
  // The row leaves the list with the decision, and with it the next one.
  const [next] = useState(nextId);
  const user = (opened ?? queued)?.user;
  useClaim('verification', id, opened);

  async function open(reason: string) {
    setOpened(await openVerification(id, reason));
  }

  async function decide(value: Decision, reason: string) {
    await decideVerification(id, value, reason);
    setDecision(value);
    void refreshQueue('verifications');
  }

  return (
    <article aria-label="Selfie" className="flex flex-col gap-5">
      <section className="card flex flex-col gap-4 p-5">
        <h2 className="font-display font-semibold text-xl" dir="auto">
          {user ? describeMember(user) : 'A selfie'}
        </h2>
        {opened ? (
          <p>
            <Badge tone="plum">Pose</Badge> {opened.instruction}
          </p>
        ) : (
          <OpenForm label="Open selfie" onOpen={open} />
        )}
      </section>
      {decision ? (
        <Outcome nextId={next} tab="verifications" title={decision === 'approve' ? 'Verified' : 'Rejected'}>
          <p>The selfie is deleted.</p>
        </Outcome>
      ) : (
        opened && <Comparison decide={decide} selfie={opened} />
      )}
    </article>
  );
}

type ComparisonProps = {
  selfie: PendingSelfie;
  decide: (value: Decision, reason: string) => Promise<void>;
};

function Comparison({ selfie, decide }: ComparisonProps) {
  return (
    <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="card grid gap-4 p-5 sm:grid-cols-2">
        <ReviewPicture address={selfie.selfieUrl} label="The selfie" />
        {selfie.photos.map((photo, index) => (
          <ReviewPicture address={photo.url} key={photo.id} label={`Photo ${index + 1}`} />
        ))}
        {selfie.photos.length === 0 && <p className="text-muted">The profile has no photos.</p>}
      </div>
      <div className="xl:sticky xl:top-20">
        <ReasonedDecision
          choices={choices}
          done={`${selfie.user.firstName}'s selfie is decided`}
          hint="A rejected member sees it."
          onDecide={decide}
        />
      </div>
    </div>
  );
}
