import { type FormEvent, useState } from 'react';
import { describeError } from '@/api/errors.ts';
import { ApiError } from '@/api/request.ts';
import type { Me } from '@/api/types.ts';
import { refreshMe } from '@/session/session.ts';
import { Button, TextField, toast, toastError } from '@/ui';
import { setPassword } from './requests.ts';
import { useProof } from './useProof.tsx';

const MIN_LENGTH = 8;

/** Sets a password. */
export function PasswordForm({ me }: { me: Me }) {
  const [passwordText, setPasswordText] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const { withProof, dialog } = useProof();

  async function save() {
    try {
      if (!(await withProof(() => setPassword(passwordText)))) return;
      await refreshMe();
      setPasswordText('');
      toast({ title: 'Password saved' });
    } catch (failure) {
      const rejected = failure instanceof ApiError && failure.fieldErrors.password;
      if (rejected) setError(rejected);
      else toastError(describeError(failure));
    }
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    setError(undefined);
    if (passwordText.length < MIN_LENGTH) {
      setError(`Please use at least ${MIN_LENGTH} characters`);
      return;
    }
    setBusy(true);
    await save();
    setBusy(false);
  }

  return (
    <>
      <form className="flex flex-col gap-4 sm:max-w-sm" noValidate onSubmit={submit}>
        <input autoComplete="username" className="hidden" readOnly type="email" value={me.email} />
        <TextField
          autoComplete="new-password"
          error={error}
          hint={`At least ${MIN_LENGTH} characters`}
          label="New password"
          onChange={(event) => setPasswordText(event.target.value)}
          type="password"
          value={passwordText}
        />
        <Button busy={busy} className="self-start" type="submit" variant="secondary">
          {me.hasPassword ? 'Change password' : 'Set password'}
        </Button>
      </form>
      {dialog}
    </>
  );
}
