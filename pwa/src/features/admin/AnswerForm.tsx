import { useState } from 'react';
import { MAX_DECIDE_REPORT_REASON } from '@/api/limits.gen.ts';
import type { ReportDecision } from '@/api/types.ts';
import { TextArea, TextField, toast } from '@/ui';
import { DecisionFrame, useDecision } from './DecisionFrame.tsx';

type AnswerFormProps = { canMail: boolean; onDecide: (body: ReportDecision) => Promise<void> };

/** Closes an issue, with an answer to its reporter if there is an address. Ctrl+Enter sends it. */
export function AnswerForm({ canMail, onDecide }: AnswerFormProps) {
  const [answer, setAnswer] = useState('');
  const [reason, setReason] = useState('');
  const { send, errors, busy } = useDecision({ explanation: answer, reason });

  async function submit() {
    const found: Record<string, string> = reason.trim()
      ? {}
      : { reason: 'Please say what was done, for the audit log.' };
    const stored = await send(found, () =>
      onDecide({ decision: 'no_action', explanation: answer.trim(), reason: reason.trim() }),
    );
    if (stored) toast({ title: 'Report updated successfully' });
  }

  return (
    <DecisionFrame busy={busy} error={errors.form} onSend={submit}>
      {canMail && (
        <TextArea
          count={answer.length}
          error={errors.explanation}
          hint="Emailed to the reporter. You can leave it empty."
          label="Answer"
          maxLength={MAX_DECIDE_REPORT_REASON}
          onChange={(event) => setAnswer(event.target.value)}
          value={answer}
        />
      )}
      <TextField
        error={errors.reason}
        hint="For the audit log. No member sees it."
        label="What was done"
        maxLength={MAX_DECIDE_REPORT_REASON}
        onChange={(event) => setReason(event.target.value)}
        value={reason}
      />
    </DecisionFrame>
  );
}
