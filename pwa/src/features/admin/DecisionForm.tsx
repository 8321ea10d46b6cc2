import { useState } from 'react';
import type { DecisionDraft, OpenedReport, ProfilePart, ReportDecision } from '@/api/types.ts';
import { useMember } from '@/session/session.ts';
import { Switch, toast } from '@/ui';
import { ChoiceList } from './ChoiceList.tsx';
import { DecisionFrame, useDecision } from './DecisionFrame.tsx';
import { DecisionPreview } from './DecisionPreview.tsx';
import { bodyOfTexts, checkDecisionTexts, DecisionTexts, useDecisionTexts } from './DecisionTexts.tsx';
import { PartChoices, removableParts } from './PartChoices.tsx';
import { useIsAllowed } from './queueContext.ts';
import { SuspensionSelect, useSuspensionEnd } from './SuspensionSelect.tsx';

type Action = ReportDecision['decision'];

const choices: { value: Action; label: string; hint: string }[] = [
  { value: 'no_action', label: 'No action', hint: 'A hidden profile is shown again.' },
  {
    value: 'keep_apart',
    label: 'Keep apart',
    hint: 'Hidden from those who blocked the other account. Nobody is told.',
  },
  { value: 'warn', label: 'Warn', hint: 'The member gets an email.' },
  { value: 'suspend', label: 'Suspend', hint: 'Signed out at once, until the end.' },
  { value: 'ban', label: 'Ban', hint: 'Signed out at once, without an end.' },
  { value: 'not_of_age', label: 'Not of age', hint: 'A ban; the account is deleted after 30 days.' },
  {
    value: 'remove',
    label: 'Remove parts',
    hint: 'Of the profile, for all at once. The member gets an email, and can appeal.',
  },
];

/** Whether the member is told why. */
const isExplained = (action?: Action) =>
  action !== undefined && action !== 'no_action' && action !== 'keep_apart';

/** The decisions that may remove parts of the profile too. */
const alsoRemoving: readonly (Action | undefined)[] = ['warn', 'suspend', 'ban'];

/** What may be decided about a member whose account was deleted; a ban only while its keys are kept. */
const departedActions: readonly Action[] = ['no_action', 'ban', 'not_of_age'];

type DecisionFormProps = {
  report: OpenedReport;
  onDecide: (body: ReportDecision) => Promise<void>;
};

/** Returns which decisions the moderator may take on the report. */
function useAllowedActions(report: OpenedReport): (value: Action) => boolean {
  const { isAdmin } = useMember();
  const isListed = useIsAllowed();
  const isGone = report.reportedUser === null;
  return (value) => {
    if (value === 'no_action') return true;
    if (value === 'keep_apart' && report.source !== 'block') return false;
    if (value === 'remove' && removableParts(report).length === 0) return false;
    if (isGone && !(report.isDeparted && departedActions.includes(value))) return false;
    return isListed(value) && (isAdmin || (value !== 'ban' && value !== 'not_of_age'));
  };
}

/** The values of the decision, its draft for the preview, and `submit`, which checks and stores it. */
function useReportDecision({ report, onDecide }: DecisionFormProps, mayRemove: boolean) {
  const [action, setAction] = useState<Action>();
  const [end, setEnd] = useSuspensionEnd();
  const [parts, setParts] = useState<ProfilePart[]>([]);
  const [alsoRemoves, setAlsoRemoves] = useState(false);
  const texts = useDecisionTexts();
  const { send, errors, busy } = useDecision({ decision: action, suspendedUntil: end, parts, ...texts });

  const isTold = isExplained(action);
  const mayAlsoRemove = alsoRemoving.includes(action) && mayRemove;
  const removes = action === 'remove' || (mayAlsoRemove && alsoRemoves);
  const body = () => ({
    ...bodyOfTexts(texts, isTold),
    ...(action === 'suspend' && { suspendedUntil: end }),
    ...(removes && { parts }),
  });
  const draft: DecisionDraft | undefined =
    action && (!isTold || texts.explanation.trim()) && (!removes || parts.length > 0)
      ? { kind: 'report', id: report.id, decision: action, ...body() }
      : undefined;

  async function submit() {
    const found: Record<string, string> = action ? {} : { decision: 'Please choose a decision.' };
    if (removes && parts.length === 0) found.parts = 'Please choose what to remove.';
    const stored = await send(checkDecisionTexts(texts, isTold, found), async () => {
      if (action) await onDecide({ decision: action, reason: texts.reason.trim(), ...body() });
    });
    if (stored) toast({ title: 'Report updated successfully' });
  }

  const values = { action, parts, alsoRemoves, texts };
  const setters = { setAction, setEnd, setParts, setAlsoRemoves };
  return { ...values, ...setters, isTold, mayAlsoRemove, removes, draft, errors, busy, submit };
}

/** The decision on a report; a ban is for admins. The keys choose it by its number, Ctrl+Enter sends it. */
export function DecisionForm({ report, onDecide }: DecisionFormProps) {
  const isAllowed = useAllowedActions(report);
  const decision = useReportDecision({ report, onDecide }, isAllowed('remove'));
  const { action, errors } = decision;
  return (
    <DecisionFrame
      busy={decision.busy}
      danger={action === 'ban' || action === 'not_of_age' || action === 'suspend'}
      error={errors.form}
      onSend={decision.submit}
    >
      <ChoiceList
        choices={choices.filter(({ value }) => isAllowed(value))}
        error={errors.decision}
        label="Decision"
        onChange={decision.setAction}
        value={action}
      />
      {action === 'suspend' && <SuspensionSelect error={errors.suspendedUntil} onChange={decision.setEnd} />}
      {decision.mayAlsoRemove && (
        <Switch
          checked={decision.alsoRemoves}
          hint="The same email tells of both, and one appeal is about both."
          label="Remove parts of the profile too"
          onChange={decision.setAlsoRemoves}
        />
      )}
      {decision.removes && (
        <PartChoices
          chosen={decision.parts}
          error={errors.parts}
          onChange={decision.setParts}
          report={report}
        />
      )}
      <DecisionTexts
        defaultGround="That of the report"
        errors={errors}
        hint={
          report.reportedUser === null
            ? 'Stored with the ban. The account is deleted, so nobody gets an email.'
            : 'Emailed to the reported member. It must not reveal who reported them.'
        }
        isExplained={decision.isTold}
        texts={decision.texts}
      />
      <DecisionPreview draft={decision.draft} />
    </DecisionFrame>
  );
}
