import { type FormEvent, useEffect, useRef, useState } from 'react';
import { describeError } from '@/api/errors.ts';
import { MAX_OPEN_REPORT_REASON } from '@/api/limits.gen.ts';
import { Button, TextField } from '@/ui';
import { useWithProof } from './proof.ts';

/** The reason given last, with which the next entry can be opened too. It is kept in memory only. */
let lastReason = '';

type OpenFormProps = { label: string; onOpen: (reason: string) => Promise<void> };

/** Asks for the reason before contents are shown, and for a proof if the server requires one. */
export function OpenForm({ label, onOpen }: OpenFormProps) {
  const [reason, setReason] = useState(lastReason);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const withProof = useWithProof();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const given = reason.trim();
    if (!given) return setError('Please say why you open it.');
    setBusy(true);
    setError(undefined);
    try {
      lastReason = given;
      if (!(await withProof(() => onOpen(given)))) setBusy(false);
    } catch (failure) {
      setError(describeError(failure));
      setBusy(false);
    }
  }

  return (
    <form className="flex flex-col gap-3" noValidate onSubmit={submit}>
      <TextField
        error={error}
        hint="It is recorded in the audit log with your name and the time."
        label="Why do you open it?"
        maxLength={MAX_OPEN_REPORT_REASON}
        onChange={(event) => setReason(event.target.value)}
        ref={field}
        value={reason}
      />
      <Button busy={busy} className="self-start" type="submit">
        {label}
      </Button>
    </form>
  );
}
