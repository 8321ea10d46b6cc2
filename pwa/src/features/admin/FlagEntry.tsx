import { useState } from 'react';
import type { Flag, FlagDecision, QueuedFlag } from '@/api/types.ts';
import { formatDate, formatTime } from '@/base/format.ts';
import { flagCategoryLabels } from './adminLabels.ts';
import { decideFlag, openFlag, refreshQueue } from './adminRequests.ts';
import { EvidenceFiles } from './EvidenceFiles.tsx';
import { FlagForm } from './FlagForm.tsx';
import { MemberLink } from './MemberLink.tsx';
import { OpenForm } from './OpenForm.tsx';
import { Outcome } from './Outcome.tsx';
import { useClaim } from './queueRequests.ts';
import { StaffNotes } from './StaffNotes.tsx';

const outcomes: Record<FlagDecision['decision'], { title: string; text: string }> = {
  dismiss: { title: 'Dismissed', text: 'Nothing follows for the sender.' },
  warn: { title: 'Warned', text: 'The sender gets an email with your explanation.' },
  suspend: {
    title: 'Suspended',
    text: 'The sender is signed out and gets an email with your explanation. Until the end they can only read it, appeal, and ask for their data or its deletion.',
  },
  ban: {
    title: 'Banned',
    text: 'The sender is signed out and gets an email with your explanation. They can only read it, appeal, and ask for their data or its deletion.',
  },
};

type FlagEntryProps = { id: string; queued?: QueuedFlag; nextId?: string };

/** A flagged message. It is shown with those around it after a reason is given, and the outcome after the decision. */
export function FlagEntry({ id, queued, nextId }: FlagEntryProps) {
  const [opened, setOpened] = useState<Flag>();
  const [decision, setDecision] = useState<FlagDecision['decision']>();
  // The row leaves the list with the decision, and with it the next one.
  const [next] = useState(nextId);
  const flag = opened ?? queued;
  useClaim('flag', id, opened);

  async function decide(body: FlagDecision) {
    await decideFlag(id, body);
    setDecision(body.decision);
    void refreshQueue('flags');
  }

  return (
    <article aria-label="Flagged message" className="flex flex-col gap-5">
      <section className="card flex flex-col gap-4 p-5">
        <h2 className="font-display font-semibold text-xl">
          {flag?.category ? flagCategoryLabels[flag.category] : 'A flagged message'}
        </h2>
        {flag && <Facts flag={flag} />}
        {!opened && (
          <OpenForm label="Open message" onOpen={async (reason) => setOpened(await openFlag(id, reason))} />
        )}
      </section>
      {decision ? (
        <Outcome nextId={next} tab="messages" title={outcomes[decision].title}>
          <p>{outcomes[decision].text}</p>
        </Outcome>
      ) : (
        opened && (
          <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_22rem]">
            <Excerpt flag={opened} />
            <div className="xl:sticky xl:top-20">
              <FlagForm id={id} onDecide={decide} />
            </div>
          </div>
        )
      )}
      {opened && <StaffNotes of={{ kind: 'flag', id }} />}
    </article>
  );
}

function Facts({ flag }: { flag: QueuedFlag }) {
  const answers = {
    bothers: 'The recipient says that it bothers them.',
    fine: 'The recipient says that it is fine.',
  };
  return (
    <p className="text-sm" dir="auto">
      <MemberLink member={flag.sender} /> to <MemberLink member={flag.receiver} />.{' '}
      {flag.answer && answers[flag.answer]}
    </p>
  );
}

/** The message, marked, with the messages around it. */
function Excerpt({ flag }: { flag: Flag }) {
  return (
    <ol className="card flex flex-col gap-3 p-5 text-sm">
      {flag.context.map((message) => {
        const isFlagged = message.id === flag.id;
        const writer = flag.sender && message.senderId === flag.sender.id ? flag.sender : flag.receiver;
        return (
          <li className={isFlagged ? 'border-danger border-s-2 ps-3' : 'ps-3.5'} key={message.id}>
            <p className="text-muted text-xs">
              {writer?.firstName ?? 'Deleted account'}, {formatDate(message.sentAt)},{' '}
              {formatTime(message.sentAt)}
            </p>
            <p className="whitespace-pre-wrap [overflow-wrap:anywhere]" dir="auto">
              {isFlagged ? flag.content : message.content || `(${message.type})`}
            </p>
            {isFlagged && flag.files.length > 0 && (
              <EvidenceFiles files={flag.files.map((file) => ({ ...file, label: 'File of the message' }))} />
            )}
          </li>
        );
      })}
    </ol>
  );
}
