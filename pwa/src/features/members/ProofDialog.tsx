import { useState } from 'react';
import { describeError } from '@/api/errors.ts';
import { ApiError } from '@/api/request.ts';
import { requestCode } from '@/api/shared.ts';
import type { Me } from '@/api/types.ts';
import { Button, ConfirmDialog, TextField, toastError } from '@/ui';
import { prove } from './requests.ts';

type ProofDialogProps = { me: Me; onProved: () => void; onClose: () => void };

/** Asks for the password or a mailed code before a change that the member must confirm. */
export default function ProofDialog({ me, onProved, onClose }: ProofDialogProps) {
  const [by, setBy] = useState<'password' | 'code' | 'mail'>(me.hasPassword ? 'password' : 'mail');
  const [value, setValue] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function mailCode() {
    await requestCode(me.email);
    setBy('code');
    setValue('');
    setError(undefined);
  }

  async function confirm() {
    if (!value) return setError(by === 'code' ? 'Please enter the code.' : 'Please enter your password.');
    try {
      await prove(by === 'code' ? { code: value } : { password: value });
      onProved();
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.status !== 403) throw failure;
      setError(failure.detail);
    }
  }

  async function run(action: () => Promise<void>) {
    setBusy(true);
    await action().catch((failure: unknown) => toastError(describeError(failure)));
    setBusy(false);
  }

  return (
    <ConfirmDialog
      busy={busy}
      cancel="Cancel"
      confirm={by === 'mail' ? 'Email me a code' : 'Confirm'}
      description={
        by === 'code'
          ? `We sent a code to ${me.email}. It's valid for 10 minutes.`
          : 'This change needs your confirmation, because you signed in a while ago.'
      }
      onClose={onClose}
      onConfirm={() => run(by === 'mail' ? mailCode : confirm)}
      title="Is it you?"
      variant="primary"
    >
      {by !== 'mail' && (
        <form
          className="mt-4 flex flex-col gap-2"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void run(confirm);
          }}
        >
          <input autoComplete="username" className="hidden" readOnly type="email" value={me.email} />
          <TextField
            autoComplete={by === 'code' ? 'one-time-code' : 'current-password'}
            error={error}
            inputMode={by === 'code' ? 'numeric' : undefined}
            key={by}
            label={by === 'code' ? 'Code from your email' : 'Your password'}
            onChange={(event) =>
              setValue(by === 'code' ? event.target.value.replace(/\D/g, '') : event.target.value)
            }
            type={by === 'code' ? 'text' : 'password'}
            value={value}
          />
          {by === 'password' && (
            <Button className="self-start" onClick={() => run(mailCode)} size="sm" variant="ghost">
              Email me a code instead
            </Button>
          )}
        </form>
      )}
    </ConfirmDialog>
  );
}
