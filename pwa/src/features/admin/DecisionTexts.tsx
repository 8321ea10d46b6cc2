import { useState } from 'react';
import { MAX_DECIDE_REPORT_REASON } from '@/api/limits.gen.ts';
import type { Ground } from '@/api/types.ts';
import { Select, TextArea, TextField } from '@/ui';
import { groundLabels } from './adminLabels.ts';

type Errors = Record<string, string>;

/** Returns the texts of a decision as state. */
export function useDecisionTexts() {
  const [explanation, setExplanation] = useState('');
  const [reason, setReason] = useState('');
  const [ground, setGround] = useState<Ground>();
  return { explanation, setExplanation, reason, setReason, ground, setGround };
}

type Texts = ReturnType<typeof useDecisionTexts>;

/** Adds to `found` what is missing. */
export function checkDecisionTexts(texts: Texts, isExplained: boolean, found: Errors): Errors {
  if (isExplained && !texts.explanation.trim())
    found.explanation = 'Please explain the decision to the member.';
  if (!texts.reason.trim()) found.reason = 'Please say why, for the audit log.';
  return found;
}

/** Returns what the body of a decision has of the texts. */
export const bodyOfTexts = ({ explanation, ground }: Texts, isExplained: boolean) =>
  isExplained ? { explanation: explanation.trim(), ...(ground && { ground }) } : {};

type DecisionTextsProps = {
  texts: Texts;
  errors: Errors;
  /** Whether the decision is explained to the member, with the rule that was broken. */
  isExplained: boolean;
  /** Who gets the explanation. */
  hint: string;
  /** What the server takes for the rule if none is chosen. */
  defaultGround?: string;
};

/** The explanation for the member with the rule that was broken, and the reason for the audit log. */
export function DecisionTexts({ texts, errors, isExplained, hint, defaultGround }: DecisionTextsProps) {
  return (
    <>
      {isExplained && (
        <>
          {defaultGround && (
            <Select
              error={errors.ground}
              label="Rule"
              onChange={({ target }) => texts.setGround((target.value || undefined) as Ground | undefined)}
              value={texts.ground ?? ''}
            >
              <option value="">{defaultGround}</option>
              {Object.entries(groundLabels).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          )}
          <TextArea
            count={texts.explanation.length}
            error={errors.explanation}
            hint={hint}
            label="Explanation"
            maxLength={MAX_DECIDE_REPORT_REASON}
            onChange={({ target }) => texts.setExplanation(target.value)}
            value={texts.explanation}
          />
        </>
      )}
      <TextField
        error={errors.reason}
        hint="For the audit log. No member sees it."
        label="Reason"
        maxLength={MAX_DECIDE_REPORT_REASON}
        onChange={({ target }) => texts.setReason(target.value)}
        value={texts.reason}
      />
    </>
  );
}
