import { type KeyboardEvent, type ReactNode, type SubmitEvent, useState } from 'react';
import { describeError, fieldErrors } from '@/api/errors.ts';
import { Button, isComposing, useAction } from '@/ui';
import { useWithProof } from './proof.ts';

type Errors = Record<string, string>;
type Values = Record<string, unknown>;

type Attempt = { errors: Errors; values: Values };

/**
 * Returns `send`, which runs a decision after a proof if the server requires one, and its state. `values` has those of the
 * form by the names of their errors: as with `useForm`, an error is shown until the value of its field changes. With
 * `isLast` a stored decision leaves the form busy, because the next case replaces it.
 */
export function useDecision(values: Values, { isLast = true } = {}) {
  const withProof = useWithProof();
  const [attempt, setAttempt] = useState<Attempt>({ errors: {}, values });
  const setErrors = (errors: Errors) => setAttempt({ errors, values });

  const [run, { isBusy, error, setError }] = useAction(
    async (action: () => Promise<void>) => {
      try {
        if (!(await withProof(action))) throw new ProofDeclined();
      } catch (failure) {
        setErrors(fieldErrors(failure));
        throw failure;
      }
    },
    {
      inline: true,
      errorText: (failure) => (failure instanceof ProofDeclined ? '' : describeError(failure)),
      staysBusy: isLast,
    },
  );

  /** Resolves to whether the decision was stored. With `found`, errors of the form's fields, nothing is sent. */
  async function send(found: Errors, action: () => Promise<void>): Promise<boolean> {
    setErrors(found);
    setError('');
    return Object.keys(found).length === 0 && run(action);
  }

  return { send, errors: remaining(attempt, error, values), busy: isBusy };
}

/** The admin gave no proof, so the decision was not sent. */
class ProofDeclined extends Error {}

/** Returns the errors of an attempt whose fields have not changed; that of the form goes with those of its fields. */
function remaining({ errors, values }: Attempt, form: string, now: Values): Errors {
  const shown = Object.fromEntries(
    Object.entries(errors).filter(([name]) => Object.is(values[name], now[name])),
  );
  const isAnswered = Object.keys(errors).length > 0 && Object.keys(shown).length === 0;
  return form && !isAnswered ? { ...shown, form } : shown;
}

type DecisionFrameProps = {
  busy: boolean;
  /** The error of the last attempt. */
  error?: string;
  /** Whether the chosen decision cannot be undone. */
  danger?: boolean;
  /** The label of the button. */
  label?: string;
  onSend: () => void;
  children: ReactNode;
};

/** A form with a decision, which Ctrl+Enter sends too. */
export function DecisionFrame({
  busy,
  error,
  danger,
  label = 'Send decision',
  onSend,
  children,
}: DecisionFrameProps) {
  return (
    <form
      className="card flex flex-col gap-4 p-5"
      noValidate
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Enter' || isComposing(event)) return;
        if ((event.ctrlKey || event.metaKey) && !busy) onSend();
      }}
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault();
        onSend();
      }}
    >
      {children}
      {error && (
        <p className="text-danger text-sm" role="alert">
          {error}
        </p>
      )}
      <Button busy={busy} type="submit" variant={danger ? 'danger' : 'primary'}>
        {label}
      </Button>
    </form>
  );
}
