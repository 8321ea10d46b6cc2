import { useState } from 'react';
import { Link } from 'react-router';
import type { AppealDecision, OpenedAppeal, QueuedAppeal } from '@/api/types.ts';
import { formatDate, formatTime } from '@/base/format.ts';
import { adminPath } from '@/session/adminPaths.ts';
import { toast } from '@/ui';
import {
  appealOutcomeLabels,
  describeDue,
  describeMember,
  partLabels,
  sanctionLabels,
} from './adminLabels.ts';
import { decideAppeal, openAppeal, refreshQueue } from './adminRequests.ts';
import { ChoiceList } from './ChoiceList.tsx';
import { DecisionFrame, useDecision } from './DecisionFrame.tsx';
import { DecisionPreview } from './DecisionPreview.tsx';
import { checkDecisionTexts, DecisionTexts, useDecisionTexts } from './DecisionTexts.tsx';
import { EvidenceFiles } from './EvidenceFiles.tsx';
import { OpenForm } from './OpenForm.tsx';
import { Outcome } from './Outcome.tsx';
import { useClaim } from './queueRequests.ts';
import { StaffNotes } from './StaffNotes.tsx';

type AppealEntryProps = { id: string; queued?: QueuedAppeal; nextId?: string };

/** An appeal. Its text is shown once the moderator has given a reason, and the outcome after the decision. */
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
          <p>The member gets an email with your explanation.</p>
          <blockquote className="text-muted">{decision.explanation}</blockquote>
        </Outcome>
      )}
      {opened && !decision && !opened.outcome && opened.mayDecide && <AppealForm id={id} onDecide={decide} />}
      {opened && !opened.outcome && !opened.mayDecide && (
        <p className="card p-5 text-muted">
          You made the decision that is appealed, so another admin has to decide on the appeal.
        </p>
      )}
      {opened && <StaffNotes of={{ kind: 'appeal', id }} />}
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
      {appeal.removed.length > 0 && <Removed appeal={appeal} />}
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

/** What the decision removed from the profile. */
function Removed({ appeal: { removed } }: { appeal: OpenedAppeal }) {
  const files = removed.flatMap(({ part, fileId: id, mimeType, url }) =>
    id && mimeType && url ? [{ id, mimeType, url, label: partLabels[part] }] : [],
  );
  return (
    <>
      {removed
        .filter(({ text }) => text)
        .map(({ part, question, text }) => (
          <Text key={part + question} label={`Removed: ${question || partLabels[part]}`} text={text} />
        ))}
      {files.length > 0 && (
        <div>
          <h3 className="mb-1 font-semibold text-sm">Removed</h3>
          <EvidenceFiles files={files} />
        </div>
      )}
    </>
  );
}

function Text({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <h3 className="font-semibold text-sm">{label}</h3>
      <blockquote className="mt-1 whitespace-pre-wrap break-words border-line border-s-4 ps-4" dir="auto">
        {text}
      </blockquote>
    </div>
  );
}

const choices: { value: AppealDecision['outcome']; label: string; hint: string }[] = [
  { value: 'upheld', label: 'Keep the decision', hint: 'The member cannot appeal again.' },
  { value: 'lifted', label: 'Take it back', hint: 'At once. Other suspensions of the member stay.' },
];

type AppealFormProps = { id: string; onDecide: (body: AppealDecision) => Promise<void> };

/** The decision on an appeal. The keys 1 and 2 choose it, Ctrl+Enter sends it. */
function AppealForm({ id, onDecide }: AppealFormProps) {
  const [outcome, setOutcome] = useState<AppealDecision['outcome']>();
  const texts = useDecisionTexts();
  const { send, errors, busy } = useDecision({ outcome, ...texts });
  const explanation = texts.explanation.trim();

  async function submit() {
    const found: Record<string, string> = outcome ? {} : { outcome: 'Please choose a decision.' };
    const stored = await send(checkDecisionTexts(texts, true, found), async () => {
      if (outcome) await onDecide({ outcome, explanation, reason: texts.reason.trim() });
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
      <DecisionTexts errors={errors} hint="Emailed to the member." isExplained texts={texts} />
      <DecisionPreview
        draft={outcome && explanation ? { kind: 'appeal', id, decision: outcome, explanation } : undefined}
      />
    </DecisionFrame>
  );
}
