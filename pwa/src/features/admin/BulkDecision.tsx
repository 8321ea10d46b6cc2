import { type SubmitEvent, useState } from 'react';
import { MAX_DECIDE_PROFILE_REVIEWS_REASON } from '@/api/limits.gen.ts';
import type { RowResult } from '@/api/types.ts';
import { Button, ConfirmDialog, TextField, toast, toastError } from '@/ui';
import { useDecision } from './DecisionFrame.tsx';
import { useKeys } from './queueKeys.ts';

export type BulkChoice<Value extends string> = {
  value: Value;
  label: string;
  /** The key that asks about it while rows are selected. Not j, k, x or c, which the lists have. */
  key: string;
  /** The label in the past tense. */
  done: string;
  description: string;
  /** Who sees the reason. */
  hint: string;
  danger?: boolean;
};

type BulkDecisionProps<Value extends string> = {
  ids: string[];
  noun: { one: string; many: string };
  nameOf: (id: string) => string;
  choices: BulkChoice<Value>[];
  decide: (ids: string[], value: Value, reason: string) => Promise<RowResult[]>;
  onClear: () => void;
  /** Called after an attempt: rows may have left the list. */
  onSent: () => void;
};

/** The choice and its rows, which stay the same while the list is refreshed behind the dialog. */
type Question<Value extends string> = { choice: BulkChoice<Value>; ids: string[]; names: string[] };

/** One decision with one reason on the selected rows, if there are any. What could not be decided is named. */
export function BulkDecision<Value extends string>({
  ids,
  noun,
  nameOf,
  choices,
  decide,
  onClear,
  onSent,
}: BulkDecisionProps<Value>) {
  const [asking, setAsking] = useState<Question<Value>>();
  const [reason, setReason] = useState('');
  const { send, errors, busy } = useDecision({ reason }, { isLast: false });
  const ask = (choice: BulkChoice<Value>) => setAsking({ choice, ids, names: ids.map(nameOf) });
  useKeys(
    ids.length > 0 && !asking
      ? { c: onClear, ...Object.fromEntries(choices.map((choice) => [choice.key, () => ask(choice)])) }
      : {},
  );
  const count = (n: number) => (n === 1 ? `1 ${noun.one}` : `${n} ${noun.many}`);

  async function submit(question: Question<Value>) {
    const given = reason.trim();
    let results: RowResult[] = [];
    const stored = await send(given ? {} : { reason: 'Please give a reason.' }, async () => {
      results = await decide(question.ids, question.choice.value, given);
    });
    if (stored) {
      showResult(question, results, count);
      setAsking(undefined);
      onClear();
    }
    if (given) onSent();
  }

  if (ids.length === 0 && !asking) return null;
  return (
    <div className="card mb-3 flex flex-wrap items-center gap-2 px-4 py-2 text-sm">
      <span className="me-auto">{count(ids.length)} selected</span>
      <Button aria-keyshortcuts="c" onClick={onClear} size="sm" variant="ghost">
        Clear
      </Button>
      {choices.map((choice) => (
        <ChoiceButton choice={choice} key={choice.value} onAsk={() => ask(choice)} />
      ))}
      {asking && (
        <QuestionDialog
          busy={busy}
          count={count(asking.ids.length)}
          errors={errors}
          onClose={() => setAsking(undefined)}
          onReason={setReason}
          onSubmit={() => void submit(asking)}
          question={asking}
          reason={reason}
        />
      )}
    </div>
  );
}

/** Shows how many rows were decided, and why the others were not. */
function showResult(
  { choice, ids, names }: Question<string>,
  results: RowResult[],
  count: (n: number) => string,
): void {
  const refused = results.filter(({ stored }) => !stored);
  if (refused.length === 0) toast({ title: `${choice.done} ${count(ids.length)}` });
  else
    toastError(
      refused.map(({ id, problem }) => `${names[ids.indexOf(id)]}: ${problem}`).join(' '),
      `${choice.done} ${ids.length - refused.length} of ${count(ids.length)}`,
    );
}

type ChoiceButtonProps = { choice: BulkChoice<string>; onAsk: () => void };

const ChoiceButton = ({ choice, onAsk }: ChoiceButtonProps) => (
  <Button aria-keyshortcuts={choice.key} onClick={onAsk} size="sm" variant="secondary">
    {choice.label}
    <span aria-hidden="true" className="ms-1 rounded-md bg-raised px-1.5 text-muted text-xs">
      {choice.key}
    </span>
  </Button>
);

type QuestionDialogProps = {
  question: Question<string>;
  /** The number of rows with their noun. */
  count: string;
  reason: string;
  errors: ReturnType<typeof useDecision>['errors'];
  busy: boolean;
  onReason: (reason: string) => void;
  onSubmit: () => void;
  onClose: () => void;
};

/** Asks for the reason, and for a confirmation. */
function QuestionDialog({
  question: { choice },
  count,
  reason,
  errors,
  busy,
  onReason,
  onSubmit,
  onClose,
}: QuestionDialogProps) {
  return (
    <ConfirmDialog
      busy={busy}
      cancel="Cancel"
      confirm={choice.label}
      description={choice.description}
      onClose={onClose}
      onConfirm={onSubmit}
      title={`${choice.label} ${count}?`}
      variant={choice.danger ? 'danger' : 'primary'}
    >
      <form
        className="mt-3"
        noValidate
        onSubmit={(event: SubmitEvent) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <TextField
          error={errors.reason ?? (errors.form && `${errors.form} Some may be decided already.`)}
          hint={choice.hint}
          label="Reason"
          maxLength={MAX_DECIDE_PROFILE_REVIEWS_REASON}
          onChange={(event) => onReason(event.target.value)}
          value={reason}
        />
      </form>
    </ConfirmDialog>
  );
}
