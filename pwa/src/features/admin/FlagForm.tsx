import { useState } from 'react';
import type { DecisionDraft, FlagDecision } from '@/api/types.ts';
import { useMember } from '@/session/session.ts';
import { toast } from '@/ui';
import { ChoiceList } from './ChoiceList.tsx';
import { DecisionFrame, useDecision } from './DecisionFrame.tsx';
import { DecisionPreview } from './DecisionPreview.tsx';
import { bodyOfTexts, checkDecisionTexts, DecisionTexts, useDecisionTexts } from './DecisionTexts.tsx';
import { useIsAllowed } from './queueContext.ts';
import { SuspensionSelect, useSuspensionEnd } from './SuspensionSelect.tsx';

type Action = FlagDecision['decision'];

const choices: { value: Action; label: string; hint: string }[] = [
  { value: 'dismiss', label: 'Dismiss', hint: 'No consequence.' },
  { value: 'warn', label: 'Warn', hint: 'The sender gets an email, and can appeal.' },
  { value: 'suspend', label: 'Suspend', hint: 'Signed out at once, until the end.' },
  { value: 'ban', label: 'Ban', hint: 'Signed out at once, without an end.' },
];

type FlagFormProps = { id: string; onDecide: (body: FlagDecision) => Promise<void> };

/** The decision on a flagged message; a ban is for admins. The keys 1 to 4 choose it, Ctrl+Enter sends it. */
export function FlagForm({ id, onDecide }: FlagFormProps) {
  const { isAdmin } = useMember();
  const isAllowed = useIsAllowed();
  const [action, setAction] = useState<Action>();
  const [end, setEnd] = useSuspensionEnd();
  const texts = useDecisionTexts();
  const { send, errors, busy } = useDecision({ decision: action, suspendedUntil: end, ...texts });
  const isTold = action !== undefined && action !== 'dismiss';
  const body = () => ({
    ...bodyOfTexts(texts, isTold),
    ...(action === 'suspend' && { suspendedUntil: end }),
  });
  const draft: DecisionDraft | undefined =
    action && (!isTold || texts.explanation.trim())
      ? { kind: 'flag', id, decision: action, ...body() }
      : undefined;

  async function submit() {
    const found: Record<string, string> = action ? {} : { decision: 'Please choose a decision.' };
    const stored = await send(checkDecisionTexts(texts, isTold, found), async () => {
      if (action) await onDecide({ decision: action, reason: texts.reason.trim(), ...body() });
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
      <DecisionTexts
        defaultGround="That of the category"
        errors={errors}
        hint="Emailed to the sender."
        isExplained={isTold}
        texts={texts}
      />
      <DecisionPreview draft={draft} />
    </DecisionFrame>
  );
}
