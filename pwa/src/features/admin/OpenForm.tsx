import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { MAX_OPEN_REPORT_REASON } from '@/api/limits.gen.ts';
import { part, type Session, useSession } from '@/base/pageSession.ts';
import { Button, Skeleton, TextField, useAction, useForm } from '@/ui';
import { useWithProof } from './proof.ts';

/** `last`: the reason given last, with which the next entry can be opened too. It is kept in memory only. */
const reasonsOf = part(() => ({
  last: '',
  /** When a reason was given last for each kind of contents that are opened again without asking. */
  askedAt: new Map<string, number>(),
}));
const ASK_AGAIN_MS = 3_600_000;

function isGiven(session: Session, kind?: string): boolean {
  const { last, askedAt } = reasonsOf(session);
  return kind !== undefined && last !== '' && Date.now() - (askedAt.get(kind) ?? 0) < ASK_AGAIN_MS;
}

const check = ({ reason }: { reason: string }) => ({
  reason: reason.trim() ? undefined : 'Please say why you open it.',
});

type OpenFormProps = {
  label: string;
  /**
   * The kind of contents that their authors want to publish. The reason for one of them is used for the next ones for an
   * hour, so that fifty stories are not asked about fifty times. The audit log has a row for each.
   */
  askOnceFor?: string;
  onOpen: (reason: string) => Promise<void>;
};

/** Asks for the reason before contents are shown, and for a proof if the server requires one. */
export function OpenForm({ label, askOnceFor, onOpen }: OpenFormProps) {
  const session = useSession();
  const reasons = reasonsOf(session);
  const form = useForm({ reason: reasons.last }, { check, inline: true });
  const withProof = useWithProof();
  const field = useRef<HTMLInputElement>(null);
  const [isOpening, setOpening] = useState(() => isGiven(session, askOnceFor));
  async function openWithLastReason() {
    try {
      await withProof(() => onOpen(reasons.last));
    } finally {
      setOpening(false);
    }
  }
  const [openAgain, { error, setError }] = useAction(openWithLastReason, { inline: true });
  useEffect(() => {
    if (!isOpening) field.current?.focus();
  }, [isOpening]);

  const openAtOnce = useEffectEvent(() => void openAgain());
  useEffect(() => {
    if (isGiven(session, askOnceFor)) openAtOnce();
  }, [askOnceFor, session]);

  async function open(values: { reason: string }) {
    const reason = values.reason.trim();
    reasons.last = reason;
    setError('');
    const opened = await withProof(() => onOpen(reason));
    if (opened && askOnceFor) reasons.askedAt.set(askOnceFor, Date.now());
  }

  if (isOpening) return <Skeleton className="h-24" />;
  return (
    <form className="flex flex-col gap-3" noValidate onSubmit={form.submit(open)}>
      <TextField
        {...form.field('reason')}
        error={form.errorOf('reason') || form.error || error}
        hint={
          askOnceFor
            ? 'It is recorded in the audit log for each one that you open within the hour.'
            : 'It is recorded in the audit log with your name and the time.'
        }
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
