import { useState } from 'react';
import { requestCode } from '@/api/sharedRequests.ts';
import type { Factors, Me } from '@/api/types.ts';
import { canUsePasskeys, describePasskeyFailure, proveByPasskey } from '@/session/passkeys.ts';
import { Button, ConfirmDialog, TextField, useAction } from '@/ui';
import { prove } from './accountRequests.ts';

type ProofDialogProps = {
  me: Me;
  /** Undefined if they could not be loaded. */
  factors?: Factors;
  onProved: () => void;
  onClose: () => void;
};

type Method = 'passkey' | 'app' | 'password' | 'mail' | 'code' | 'recovery';

const confirmLabels: Record<Method, string> = {
  passkey: 'Use your passkey',
  app: 'Confirm',
  password: 'Confirm',
  mail: 'Email me a code',
  code: 'Confirm',
  recovery: 'Confirm',
};

const fields = {
  app: { label: 'Code from your authenticator app', missing: 'Please enter the code.' },
  password: { label: 'Your password', missing: 'Please enter your password.' },
  code: { label: 'Code from your email', missing: 'Please enter the code.' },
  recovery: { label: 'Recovery code', missing: 'Please enter a recovery code.' },
};

/** The way of proving that is chosen, its value, and functions that send it. */
function useProofSteps(me: Me, factors: Factors | undefined, onProved: () => void) {
  const hasPasskey = canUsePasskeys() && (factors?.passkeys.length ?? 0) > 0;
  const [by, setBy] = useState<Method>(() => {
    if (hasPasskey) return 'passkey';
    if (factors?.hasApp) return 'app';
    return me.hasPassword ? 'password' : 'mail';
  });
  const [value, setValue] = useState('');
  const field = by === 'passkey' || by === 'mail' ? undefined : fields[by];

  function askFor(method: Method) {
    setBy(method);
    setValue('');
    setError('');
  }

  async function mailCode() {
    await requestCode(me.email);
    askFor('code');
  }

  async function send() {
    if (by === 'passkey') return proveByPasskey();
    if (by === 'app') return prove({ appCode: value });
    if (by === 'recovery') return prove({ recoveryCode: value });
    return prove(by === 'code' ? { code: value } : { password: value });
  }

  async function sendProof() {
    await send();
    onProved();
  }

  const [run, { isBusy, error, setError }] = useAction((action: () => Promise<void>) => action(), {
    inline: field !== undefined,
    errorText: describePasskeyFailure,
  });

  function confirm() {
    if (field && !value) setError(field.missing);
    else void run(by === 'mail' ? mailCode : sendProof);
  }

  return { by, askFor, field, value, setValue, error, isBusy, run, mailCode, confirm };
}

/** Asks for a passkey, the password or a code before a change that the member must confirm. */
export default function ProofDialog({ me, factors, onProved, onClose }: ProofDialogProps) {
  const { by, askFor, field, value, setValue, error, isBusy, run, mailCode, confirm } = useProofSteps(
    me,
    factors,
    onProved,
  );

  return (
    <ConfirmDialog
      busy={isBusy}
      cancel="Cancel"
      confirm={confirmLabels[by]}
      description={
        by === 'code'
          ? `We sent a code to ${me.email}. It's valid for 10 minutes.`
          : 'This change needs your confirmation, because you signed in a while ago.'
      }
      onClose={onClose}
      onConfirm={confirm}
      title="Is it you?"
      variant="primary"
    >
      <form
        className="mt-4 flex flex-col gap-2 empty:hidden"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          confirm();
        }}
      >
        {field && (
          <ProofField
            by={by}
            email={me.email}
            error={error}
            key={by}
            label={field.label}
            onChange={setValue}
            value={value}
          />
        )}
        {by !== 'recovery' && (factors?.recoveryCodes ?? 0) > 0 && (
          <Button className="self-start" onClick={() => askFor('recovery')} size="sm" variant="ghost">
            Use a recovery code
          </Button>
        )}
        {by !== 'mail' && by !== 'code' && (
          <Button className="self-start" onClick={() => run(mailCode)} size="sm" variant="ghost">
            Email me a code instead
          </Button>
        )}
      </form>
    </ConfirmDialog>
  );
}

type ProofFieldProps = {
  by: Method;
  email: string;
  label: string;
  value: string;
  error: string;
  onChange: (value: string) => void;
};

/** The field of the password or a code. The hidden one with the address is for password managers. */
function ProofField({ by, email, label, value, error, onChange }: ProofFieldProps) {
  // Other codes have digits only.
  const isFree = by === 'password' || by === 'recovery';
  return (
    <>
      <input autoComplete="username" className="hidden" readOnly type="email" value={email} />
      <TextField
        autoComplete={by === 'password' ? 'current-password' : by === 'recovery' ? 'off' : 'one-time-code'}
        error={error}
        inputMode={isFree ? undefined : 'numeric'}
        label={label}
        onChange={({ target }) => onChange(isFree ? target.value : target.value.replace(/\D/g, ''))}
        type={by === 'password' ? 'password' : 'text'}
        value={value}
      />
    </>
  );
}
