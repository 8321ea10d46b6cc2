import { useState } from 'react';
import { MAX_DECIDE_REPORT_REASON } from '@/api/limits.gen.ts';
import type { ReportDecision } from '@/api/types.ts';
import { useMember } from '@/session/session.ts';
import { TextArea, TextField, toast } from '@/ui';
import { ChoiceList } from './ChoiceList.tsx';
import { DecisionFrame, useDecision } from './DecisionFrame.tsx';
import { useIsAllowed } from './queueContext.ts';
import { SuspensionSelect, useSuspensionEnd } from './SuspensionSelect.tsx';

type Action = ReportDecision['decision'];

const choices: { value: Action; label: string; hint: string }[] = [
  { value: 'no_action', label: 'No action', hint: 'A hidden profile is shown again.' },
  { value: 'warn', label: 'Warn', hint: 'The member gets a mail.' },
  { value: 'suspend', label: 'Suspend', hint: 'Signed out at once, until the end.' },
  { value: 'ban', label: 'Ban', hint: 'Signed out at once, without an end.' },
  { value: 'not_of_age', label: 'Not of age', hint: 'A ban; the account is deleted after 30 days.' },
];

/** The decision on a report; a ban is for admins. The keys 1 to 5 choose it, Ctrl+Enter sends it. */
export function DecisionForm({ onDecide }: { onDecide: (body: ReportDecision) => Promise<void> }) {
  const { isAdmin } = useMember();
  const isAllowed = useIsAllowed();
  const { send, errors, busy } = useDecision();
  const [action, setAction] = useState<Action>();
  const [end, setEnd] = useSuspensionEnd();
  const [explanation, setExplanation] = useState('');
  const [reason, setReason] = useState('');

  function findErrors(): Record<string, string> {
    const found: Record<string, string> = {};
    if (!action) found.decision = 'Please choose a decision.';
    if (action && action !== 'no_action' && !explanation.trim())
      found.explanation = 'Please explain the decision to the member.';
    if (!reason.trim()) found.reason = 'Please say why, for the audit log.';
    return found;
  }

  async function submit() {
    const stored = await send(findErrors(), async () => {
      if (!action) return;
      await onDecide({
        decision: action,
        reason: reason.trim(),
        ...(action !== 'no_action' && { explanation: explanation.trim() }),
        ...(action === 'suspend' && { suspendedUntil: end }),
      });
    });
    if (stored) toast({ title: 'Report updated successfully' });
  }

  return (
    <DecisionFrame
      busy={busy}
      danger={action === 'ban' || action === 'not_of_age' || action === 'suspend'}
      error={errors.form}
      onSend={submit}
    >
      <ChoiceList
        choices={choices.filter(
          ({ value }) => isAllowed(value) && (isAdmin || (value !== 'ban' && value !== 'not_of_age')),
        )}
        error={errors.decision}
        label="Decision"
        onChange={setAction}
        value={action}
      />
      {action === 'suspend' && <SuspensionSelect error={errors.suspendedUntil} onChange={setEnd} />}
      {action && action !== 'no_action' && (
        <TextArea
          count={explanation.length}
          error={errors.explanation}
          hint="Mailed to the reported member. It must not reveal who reported them."
          label="Explanation"
          maxLength={MAX_DECIDE_REPORT_REASON}
          onChange={(event) => setExplanation(event.target.value)}
          value={explanation}
        />
      )}
      <TextField
        error={errors.reason}
        hint="For the audit log. No member sees it."
        label="Reason"
        maxLength={MAX_DECIDE_REPORT_REASON}
        onChange={(event) => setReason(event.target.value)}
        value={reason}
      />
    </DecisionFrame>
  );
}
