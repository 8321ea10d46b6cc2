import type { Me } from '@/api/types.ts';
import { refreshMe } from '@/session/session.ts';
import { Button, TextField, toast, useForm } from '@/ui';
import { setPassword } from './accountRequests.ts';
import { useProof } from './useProof.tsx';

const MIN_LENGTH = 8;

const noPassword = { password: '' };

const check = ({ password }: typeof noPassword) => ({
  password: password.length < MIN_LENGTH ? `Please use at least ${MIN_LENGTH} characters` : undefined,
});

/** Sets a password. */
export function PasswordForm({ me }: { me: Me }) {
  const form = useForm(noPassword, { check });
  const { withProof, dialog } = useProof();

  async function save({ password }: typeof noPassword) {
    if (!(await withProof(() => setPassword(password)))) return;
    await refreshMe();
    form.reset(noPassword);
    toast({ title: 'Password saved' });
  }

  return (
    <>
      <form className="flex flex-col gap-4 sm:max-w-sm" noValidate onSubmit={form.submit(save)}>
        <input autoComplete="username" className="hidden" readOnly type="email" value={me.email} />
        <TextField
          autoComplete="new-password"
          hint={`At least ${MIN_LENGTH} characters`}
          label="New password"
          type="password"
          {...form.field('password')}
        />
        <Button busy={form.isBusy} className="self-start" type="submit" variant="secondary">
          {me.hasPassword ? 'Change password' : 'Set password'}
        </Button>
      </form>
      {dialog}
    </>
  );
}
