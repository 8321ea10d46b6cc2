import { useState } from 'react';
import { Link } from 'react-router';
import { MAX_DECIDE_APPEAL_REASON } from '@/api/limits.gen.ts';
import type { AppealDecision, OpenedAppeal, QueuedAppeal } from '@/api/types.ts';
import { adminPath } from '@/session/adminPaths.ts';
import { formatDate, formatTime, TextArea, TextField, toast } from '@/ui';
import { ChoiceList } from './ChoiceList.tsx';
import { DecisionFrame, useDecision } from './DecisionFrame.tsx';
import { appealOutcomeLabels, describeDue, describeMember, sanctionLabels } from './labels.ts';
import { OpenForm } from './OpenForm.tsx';
import { Outcome } from './Outcome.tsx';
import { useClaim } from './queueRequests.ts';
import { decideAppeal, openAppeal, refreshQueue } from './requests.ts';

type AppealEntryProps = { id: string; queued?: QueuedAppeal; nextId?: string };

/** An appeal: first without its text, after a reason with it, and after the decision its outcome. */
export function AppealEntry({ id, queued, nextId }: AppealEntryProps) {
  const [opened, setOpened] = useState<OpenedAppeal>();
  const [decision, setDecision] = useState<AppealDecision>();
  // The row leaves the list with the decision, and with it the next one.
  const [next] = useState(nextId);
  const appeal = opened ?? queued;
  useClaim('appeal', id, opened);

  async function open(reason: string) {
    setOpened(await openAppeal(id, reason));
    void refreshQueue('appeals');
  }

  async function decide(body: AppealDecision) {
    await decideAppeal(id, body);
    setDecision(body);
    void refreshQueue('appeals');
  }

  return (
    <article aria-label="Appeal" className="flex max-w-3xl flex-col gap-5">
      <section className="card flex flex-col gap-4 p-5">
        <h2 className="font-display font-semibold text-xl">
          {appeal ? `${sanctionLabels[appeal.kind]} of ${formatDate(appeal.sanctionedAt)}` : 'An appeal'}
        </h2>
        {appeal && <Facts appeal={appeal} />}
        {opened ? <Contents appeal={opened} /> : <OpenForm label="Open appeal" onOpen={open} />}
      </section>
      {decision && (
        <Outcome nextId={next} tab="appeals" title={appealOutcomeLabels[decision.outcome]}>
          <p>The member gets a mail with your explanation.</p>
          <blockquote className="text-muted">{decision.explanation}</blockquote>
        </Outcome>
      )}
      {opened && !decision && !opened.outcome && opened.mayDecide && <AppealForm onDecide={decide} />}
      {opened && !opened.outcome && !opened.mayDecide && (
        <p className="card p-5 text-muted">
          You made the decision that is appealed, so another admin has to decide on the appeal.
        </p>
      )}
    </article>
  );
}

function Facts({ appeal }: { appeal: QueuedAppeal }) {
  return (
    <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-3">
      <div>
        <dt className="text-muted text-xs">From</dt>
        <dd dir="auto">
          {appeal.user ? (
            <Link className="underline" to={adminPath('users', appeal.user.id)}>
              {describeMember(appeal.user)}
            </Link>
          ) : (
            describeMember(null)
          )}
        </dd>
      </div>
      <div>
        <dt className="text-muted text-xs">Arrived</dt>
        <dd>
          {formatDate(appeal.createdAt)}, {formatTime(appeal.createdAt)}
          {!appeal.outcome && `, ${describeDue(appeal.dueAt).text.toLowerCase()}`}
        </dd>
      </div>
      <div>
        <dt className="text-muted text-xs">Decided by</dt>
        <dd dir="auto">{appeal.sanctionedBy ?? 'Deleted account'}</dd>
      </div>
    </dl>
  );
}

function Contents({ appeal }: { appeal: OpenedAppeal }) {
  return (
    <>
      <Text
        label="What the member was told"
        text={appeal.explanation || 'The text about a flagged message.'}
      />
      {appeal.suspendedUntil && (
        <p className="text-sm">Suspended until {formatDate(appeal.suspendedUntil)}.</p>
      )}
      <Text label="The appeal" text={appeal.text || 'The text was deleted 90 days after the decision.'} />
      {appeal.outcome && (
        <Text
          label={appealOutcomeLabels[appeal.outcome]}
          text={appeal.outcomeExplanation || 'Without an explanation.'}
        />
      )}
    </>
  );
}

function Text({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <h3 className="font-semibold text-sm">{label}</h3>
      <blockquote className="mt-1 whitespace-pre-wrap break-words border-line border-l-4 pl-4" dir="auto">
        {text}
      </blockquote>
    </div>
  );
}

const choices: { value: AppealDecision['outcome']; label: string; hint: string }[] = [
  { value: 'upheld', label: 'Keep the decision', hint: 'The member cannot appeal again.' },
  { value: 'lifted', label: 'Take it back', hint: 'At once. Other suspensions of the member stay.' },
];

/** The decision on an appeal. The keys 1 and 2 choose it, Ctrl+Enter sends it. */
function AppealForm({ onDecide }: { onDecide: (body: AppealDecision) => Promise<void> }) {
  const { send, errors, busy } = useDecision();
  const [outcome, setOutcome] = useState<AppealDecision['outcome']>();
  const [explanation, setExplanation] = useState('');
  const [reason, setReason] = useState('');

  async function submit() {
    const found: Record<string, string> = {};
    if (!outcome) found.outcome = 'Please choose a decision.';
    if (!explanation.trim()) found.explanation = 'Please explain the decision to the member.';
    if (!reason.trim()) found.reason = 'Please say why, for the audit log.';
    const stored = await send(found, async () => {
      if (outcome) await onDecide({ outcome, explanation: explanation.trim(), reason: reason.trim() });
    });
    if (stored) toast({ title: 'Appeal updated successfully' });
  }

  return (
    <DecisionFrame busy={busy} error={errors.form} onSend={submit}>
      <ChoiceList
        choices={choices}
        error={errors.outcome}
        label="Decision"
        onChange={setOutcome}
        value={outcome}
      />
      <TextArea
        count={explanation.length}
        error={errors.explanation}
        hint="Mailed to the member."
        label="Explanation"
        maxLength={MAX_DECIDE_APPEAL_REASON}
        onChange={({ target }) => setExplanation(target.value)}
        value={explanation}
      />
      <TextField
        error={errors.reason}
        hint="For the audit log. No member sees it."
        label="Reason"
        maxLength={MAX_DECIDE_APPEAL_REASON}
        onChange={({ target }) => setReason(target.value)}
        value={reason}
      />
    </DecisionFrame>
  );
}
