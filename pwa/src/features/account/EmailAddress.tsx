import { Check } from 'lucide-react';
import { describeLoadError } from '@/api/client.ts';
import { fieldErrors } from '@/api/errors.ts';
import type { EmailChange, Me } from '@/api/types.ts';
import { formatDate } from '@/base/format.ts';
import { useFailure } from '@/offline/store/cached.ts';
import { Button, ErrorState, TextField, toast, useAction, useForm } from '@/ui';
import {
  cancelEmailChange,
  confirmEmail,
  refreshEmailChange,
  startEmailChange,
  useEmailChange,
  waitForEmail,
} from './emailChange.ts';
import { useProof } from './useProof.tsx';

/** The member's email address, and its change. */
export function EmailAddress({ me }: { me: Me }) {
  const change = useEmailChange();
  const failure = useFailure(change);
  return (
    <section className="card p-5">
      <h2 className="font-display font-semibold text-lg">Email address</h2>
      <p className="mt-1 mb-4 text-muted">
        You sign in with <bdi className="break-words font-semibold text-ink">{me.email}</bdi>. Other members
        never see it.
      </p>
      {failure && (
        <ErrorState
          onRetry={change.refetch}
          text={describeLoadError(failure)}
          title="Your email address can't be changed right now"
        />
      )}
      {!failure && !change.data && <NewAddress isLoading={change.isPending} />}
      {!failure && change.data && <Pending change={change.data} me={me} />}
    </section>
  );
}

/** Runs a step of the change, which may have ended when the step fails. */
async function runStep(step: () => Promise<unknown>): Promise<void> {
  try {
    await step();
  } catch (failure) {
    // A rejected field does not end the change.
    if (Object.keys(fieldErrors(failure)).length === 0) void refreshEmailChange();
    throw failure;
  }
}

const noAddress = { email: '' };

const checkAddress = ({ email }: typeof noAddress) => ({
  email: email.trim() ? undefined : 'Please enter your new email address.',
});

function NewAddress({ isLoading }: { isLoading: boolean }) {
  const form = useForm(noAddress, { check: checkAddress });
  const { withProof, dialog } = useProof();
  const start = ({ email }: typeof noAddress) => runStep(() => withProof(() => startEmailChange(email)));

  return (
    <>
      <form className="flex flex-col gap-4 sm:max-w-sm" noValidate onSubmit={form.submit(start)}>
        <TextField
          autoComplete="email"
          hint="We'll send a code there, and another to your current address."
          label="New email address"
          type="email"
          {...form.field('email')}
        />
        <Button
          busy={form.isBusy}
          className="self-start"
          disabled={isLoading}
          type="submit"
          variant="secondary"
        >
          Change email address
        </Button>
      </form>
      {dialog}
    </>
  );
}

/** A change that waits for codes, or for the end of the seven days. */
function Pending({ change, me }: { change: EmailChange; me: Me }) {
  const [run, { isBusy }] = useAction(runStep);
  const { withProof, dialog } = useProof();
  const { newEmail, newConfirmed, currentConfirmed, waitsUntil } = change;
  return (
    <div className="flex flex-col gap-5 sm:max-w-sm">
      {waitsUntil ? (
        <p role="status">
          Your address changes to <strong className="break-words font-semibold">{newEmail}</strong> on{' '}
          {formatDate(waitsUntil)}. Until then we write to <bdi>{me.email}</bdi> every day, with a link that
          stops it.
        </p>
      ) : (
        <>
          <CodeForm
            address="new"
            email={newEmail}
            isConfirmed={newConfirmed}
            label="Code from your new address"
          />
          <CodeForm
            address="current"
            email={me.email}
            isConfirmed={currentConfirmed}
            label="Code from your current address"
          />
        </>
      )}
      {!waitsUntil && newConfirmed && !currentConfirmed && (
        <div className="flex flex-col gap-2 border-line border-t pt-4">
          <p className="text-muted">
            You can't read emails to <bdi>{me.email}</bdi> anymore? Then the address changes in seven days. We
            write there every day, and a link in these emails stops it.
          </p>
          <Button
            busy={isBusy}
            className="self-start"
            onClick={() => run(() => withProof(waitForEmail))}
            size="sm"
            variant="secondary"
          >
            Change it in seven days
          </Button>
        </div>
      )}
      <Button
        busy={isBusy}
        className="self-start"
        onClick={() => run(cancelEmailChange)}
        size="sm"
        variant="ghost"
      >
        Keep {me.email}
      </Button>
      {dialog}
    </div>
  );
}

type CodeFormProps = { address: 'new' | 'current'; email: string; isConfirmed: boolean; label: string };

const noCode = { code: '' };

const checkCode = ({ code }: typeof noCode) => ({ code: code ? undefined : 'Please enter the code.' });

/** The field for the code that one of the two addresses got. */
function CodeForm({ address, email, isConfirmed, label }: CodeFormProps) {
  const form = useForm(noCode, { check: checkCode });

  const confirm = ({ code }: typeof noCode) =>
    runStep(async () => {
      if (await confirmEmail(address, code))
        toast({ title: 'Email address changed', description: 'Your other devices are signed out.' });
    });

  if (isConfirmed) {
    return (
      <p className="flex items-center gap-2">
        <Check aria-hidden="true" className="size-5 shrink-0 text-sage" />
        <span className="min-w-0 break-words">{email} is confirmed.</span>
      </p>
    );
  }
  return (
    <form className="flex flex-col gap-3" noValidate onSubmit={form.submit(confirm)}>
      <TextField
        {...form.field('code')}
        autoComplete="one-time-code"
        hint={`We sent it to ${email}. It's valid for 30 minutes.`}
        inputMode="numeric"
        label={label}
        onChange={(event) => form.set({ code: event.target.value.replace(/\D/g, '') })}
      />
      <Button busy={form.isBusy} className="self-start" size="sm" type="submit" variant="secondary">
        Confirm
      </Button>
    </form>
  );
}
