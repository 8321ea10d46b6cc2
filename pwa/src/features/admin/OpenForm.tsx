import { useEffect, useRef } from 'react';
import { MAX_OPEN_REPORT_REASON } from '@/api/limits.gen.ts';
import { Button, TextField, useForm } from '@/ui';
import { useWithProof } from './proof.ts';

/** The reason given last, with which the next entry can be opened too. It is kept in memory only. */
let lastReason = '';

const check = ({ reason }: { reason: string }) => ({
  reason: reason.trim() ? undefined : 'Please say why you open it.',
});

type OpenFormProps = { label: string; onOpen: (reason: string) => Promise<void> };

/** Asks for the reason before contents are shown, and for a proof if the server requires one. */
export function OpenForm({ label, onOpen }: OpenFormProps) {
  const form = useForm({ reason: lastReason }, { check, inline: true });
  const withProof = useWithProof();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  async function open(values: { reason: string }) {
    const reason = values.reason.trim();
    lastReason = reason;
    await withProof(() => onOpen(reason));
  }

  return (
    <form className="flex flex-col gap-3" noValidate onSubmit={form.submit(open)}>
      <TextField
        {...form.field('reason')}
        error={form.errorOf('reason') || form.error}
        hint="It is recorded in the audit log with your name and the time."
        label="Why do you open it?"
        maxLength={MAX_OPEN_REPORT_REASON}
        ref={field}
      />
      <Button busy={form.isBusy} className="self-start" type="submit">
        {label}
      </Button>
    </form>
  );
}
