import { useState } from 'react';
import { MAX_DECIDE_REPORT_REASON } from '@/api/limits.gen.ts';
import { TextField, toast } from '@/ui';
import { type Choice, ChoiceList } from './ChoiceList.tsx';
import { DecisionFrame, useDecision } from './DecisionFrame.tsx';

type ReasonedChoice<Value extends string> = Choice<Value> & {
  danger?: boolean;
  /** The reason that is filled in with the choice. */
  reason?: string;
  /** The title of the confirmation, instead of the common one. */
  done?: string;
};

type ReasonedDecisionProps<Value extends string> = {
  choices: ReasonedChoice<Value>[];
  hint: string;
  /** The title of the confirmation. */
  done: string;
  onDecide: (value: Value, reason: string) => Promise<void>;
};

/** A decision that needs a reason only. */
export function ReasonedDecision<Value extends string>({
  choices,
  hint,
  done,
  onDecide,
}: ReasonedDecisionProps<Value>) {
  const [value, setValue] = useState<Value>();
  const [reason, setReason] = useState('');
  const { send, errors, busy } = useDecision({ decision: value, reason });
  const chosen = choices.find((choice) => choice.value === value);

  function choose(next: Value) {
    setValue(next);
    const isUntouched = choices.some((choice) => (choice.reason ?? '') === reason) || !reason;
    if (isUntouched) setReason(choices.find((choice) => choice.value === next)?.reason ?? '');
  }

  async function submit() {
    const found: Record<string, string> = {};
    if (!value) found.decision = 'Please choose a decision.';
    if (!reason.trim()) found.reason = 'Please give a reason.';
    const stored = await send(found, async () => {
      if (value) await onDecide(value, reason.trim());
    });
    if (stored) toast({ title: chosen?.done ?? done });
  }

  return (
    <DecisionFrame busy={busy} danger={chosen?.danger} error={errors.form} onSend={submit}>
      <ChoiceList
        choices={choices}
        error={errors.decision}
        label="Decision"
        onChange={choose}
        value={value}
      />
      <TextField
        error={errors.reason}
        hint={hint}
        label="Reason"
        maxLength={MAX_DECIDE_REPORT_REASON}
        onChange={(event) => setReason(event.target.value)}
        value={reason}
      />
    </DecisionFrame>
  );
}
