import { type FormEvent, useState } from 'react';
import { describeError } from '@/api/errors.ts';
import { ApiError } from '@/api/request.ts';
import { requestCode } from '@/api/shared.ts';
import type { Me } from '@/api/types.ts';
import { refreshMe } from '@/session/session.ts';
import { Button, TextField, toast, toastError } from '@/ui';
import { setPassword } from './requests.ts';

const MIN_LENGTH = 8;

/** Sets a password. If the sign-in was a while ago, the server asks for a mailed code first. */
export function PasswordForm({ me }: { me: Me }) {
  const [passwordText, setPasswordText] = useState('');
  const [code, setCode] = useState('');
  const [asksCode, setAsksCode] = useState(false);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);

  async function requestConfirmation() {
    await requestCode(me.email);
    setAsksCode(true);
    toast({ title: 'Please confirm that it is you', description: `We sent a code to ${me.email}.` });
  }

  async function save() {
    try {
      await setPassword({ password: passwordText, ...(code && { code }) });
      await refreshMe();
      setPasswordText('');
      setCode('');
      setAsksCode(false);
      toast({ title: 'Password saved' });
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      if (failure.status === 403 && !asksCode) return requestConfirmation();
      if (failure.status === 403) setErrors({ code: 'This code is not right. Please check it.' });
      else setErrors({ password: failure.fieldErrors.password ?? failure.detail });
    }
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    setErrors({});
    if (passwordText.length < MIN_LENGTH) {
      setErrors({ password: `Please use at least ${MIN_LENGTH} characters` });
      return;
    }
    setBusy(true);
    await save().catch((failure: unknown) => {
      toastError(describeError(failure));
    });
    setBusy(false);
  }

  return (
    <form className="flex flex-col gap-4 sm:max-w-sm" noValidate onSubmit={submit}>
      <input autoComplete="username" className="hidden" readOnly type="email" value={me.email} />
      <TextField
        autoComplete="new-password"
        error={errors.password}
        hint={`At least ${MIN_LENGTH} characters`}
        label="New password"
        onChange={(event) => setPasswordText(event.target.value)}
        type="password"
        value={passwordText}
      />
      {asksCode && (
        <TextField
          autoComplete="one-time-code"
          error={errors.code}
          inputMode="numeric"
          label="Code from your email"
          onChange={(event) => setCode(event.target.value.replace(/\D/g, ''))}
          value={code}
        />
      )}
      <Button busy={busy} className="self-start" type="submit" variant="secondary">
        {me.hasPassword ? 'Change password' : 'Set password'}
      </Button>
    </form>
  );
}
