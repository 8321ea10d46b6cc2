import { type KeyboardEvent, type ReactNode, type SubmitEvent, useState } from 'react';
import { describeError } from '@/api/errors.ts';
import { ApiError } from '@/api/request.ts';
import { Button } from '@/ui';
import { useWithProof } from './proof.ts';

type Errors = Record<string, string>;

/** Returns `send`, which runs a decision after a proof if the server requires one, and its state. */
export function useDecision() {
  const withProof = useWithProof();
  const [errors, setErrors] = useState<Errors>({});
  const [busy, setBusy] = useState(false);

  /** Resolves to whether the decision was stored. With `found`, errors of the form's fields, nothing is sent. */
  async function send(found: Errors, action: () => Promise<void>): Promise<boolean> {
    setErrors(found);
    if (Object.keys(found).length > 0) return false;
    setBusy(true);
    try {
      if (await withProof(action)) return true;
    } catch (failure) {
      const fields = failure instanceof ApiError ? failure.fieldErrors : {};
      setErrors({ ...fields, form: describeError(failure) });
    }
    setBusy(false);
    return false;
  }

  return { send, errors, busy };
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
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !busy) onSend();
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
