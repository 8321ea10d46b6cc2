import { useState } from 'react';
import { MAX_DECIDE_FLAG_EXPLANATION, MAX_DECIDE_FLAG_REASON } from '@/api/limits.gen.ts';
import type { FlagDecision } from '@/api/types.ts';
import { useMember } from '@/session/session.ts';
import { TextArea, TextField, toast } from '@/ui';
import { ChoiceList } from './ChoiceList.tsx';
import { DecisionFrame, useDecision } from './DecisionFrame.tsx';
import { useIsAllowed } from './queueContext.ts';
import { SuspensionSelect, useSuspensionEnd } from './SuspensionSelect.tsx';

type Action = FlagDecision['decision'];

const choices: { value: Action; label: string; hint: string }[] = [
  { value: 'dismiss', label: 'Dismiss', hint: 'No consequence.' },
  { value: 'warn', label: 'Warn', hint: 'The sender gets a mail, and can appeal.' },
  { value: 'suspend', label: 'Suspend', hint: 'Signed out at once, until the end.' },
  { value: 'ban', label: 'Ban', hint: 'Signed out at once, without an end.' },
];

/** The decision on a flagged message; a ban is for admins. The keys 1 to 4 choose it, Ctrl+Enter sends it. */
export function FlagForm({ onDecide }: { onDecide: (body: FlagDecision) => Promise<void> }) {
  const { isAdmin } = useMember();
  const isAllowed = useIsAllowed();
  const { send, errors, busy } = useDecision();
  const [action, setAction] = useState<Action>();
  const [end, setEnd] = useSuspensionEnd();
  const [explanation, setExplanation] = useState('');
  const [reason, setReason] = useState('');
  const isTold = action !== undefined && action !== 'dismiss';

  async function submit() {
    const found: Record<string, string> = {};
    if (!action) found.decision = 'Please choose a decision.';
    if (isTold && !explanation.trim()) found.explanation = 'Please explain the decision to the member.';
    if (!reason.trim()) found.reason = 'Please give a reason.';
    const stored = await send(found, async () => {
      if (!action) return;
      await onDecide({
        decision: action,
        reason: reason.trim(),
        ...(isTold && { explanation: explanation.trim() }),
        ...(action === 'suspend' && { suspendedUntil: end }),
      });
    });
    if (stored) toast({ title: 'The message is decided' });
  }

  return (
    <DecisionFrame
      busy={busy}
      danger={action === 'ban' || action === 'suspend'}
      error={errors.form}
      onSend={submit}
    >
      <ChoiceList
        choices={choices.filter(({ value }) => isAllowed(value) && (isAdmin || value !== 'ban'))}
        error={errors.decision}
        label="Decision"
        onChange={setAction}
        value={action}
      />
      {action === 'suspend' && <SuspensionSelect error={errors.suspendedUntil} onChange={setEnd} />}
      {isTold && (
        <TextArea
          count={explanation.length}
          error={errors.explanation}
          hint="Mailed to the sender."
          label="Explanation"
          maxLength={MAX_DECIDE_FLAG_EXPLANATION}
          onChange={(event) => setExplanation(event.target.value)}
          value={explanation}
        />
      )}
      <TextField
        error={errors.reason}
        hint="For the audit log. No member sees it."
        label="Reason"
        maxLength={MAX_DECIDE_FLAG_REASON}
        onChange={(event) => setReason(event.target.value)}
        value={reason}
      />
    </DecisionFrame>
  );
}
