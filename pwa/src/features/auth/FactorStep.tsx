import { type FormEvent, useState } from 'react';
import { api, unwrap } from '@/api/client.ts';
import { MAX_CONFIRM_AUTHENTICATOR_APP_CODE } from '@/api/limits.gen.ts';
import { ApiError } from '@/api/request.ts';
import type { Factors } from '@/api/types.ts';
import { refreshFactors } from '@/session/factors.ts';
import { canUsePasskeys, PasskeyCancelled, proveByPasskey } from '@/session/passkeys.ts';
import { Button, TextField, useAction } from '@/ui';

/** Asks an admin for the second factor. */
export function FactorStep({ factors }: { factors: Factors }) {
  const [code, setCode] = useState('');
  const [isRecovering, setRecovering] = useState(false);
  const [error, setError] = useState<string>();
  const hasPasskey = canUsePasskeys() && factors.passkeys.some(({ isFactor }) => isFactor);

  async function prove(proof: () => Promise<void>) {
    setError(undefined);
    try {
      await proof();
      await refreshFactors();
    } catch (failure) {
      if (failure instanceof PasskeyCancelled) return;
      if (failure instanceof ApiError && failure.status === 403) setError(failure.detail);
      throw failure;
    }
  }
  const [run, { isBusy }] = useAction(prove, { errorTitle: 'Login Failed' });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (code.length !== 6) return setError('The code has six digits.');
    void run(async () => {
      await unwrap(api.POST('/api/auth/proof', { body: { appCode: code } }));
    });
  }

  if (isRecovering)
    return (
      <RecoveryForm
        busy={isBusy}
        error={error}
        onBack={() => {
          setError(undefined);
          setRecovering(false);
        }}
        onCode={(recoveryCode) =>
          run(async () => {
            await unwrap(api.POST('/api/auth/proof', { body: { recoveryCode } }));
          })
        }
      />
    );
  return (
    <>
      <p className="text-muted">One more step: confirm that it is you.</p>
      {hasPasskey && (
        <Button block busy={isBusy} onClick={() => run(proveByPasskey)} size="lg">
          Use your passkey
        </Button>
      )}
      {factors.hasApp && (
        <form className="flex flex-col gap-5" noValidate onSubmit={submit}>
          <TextField
            autoComplete="one-time-code"
            error={error}
            inputMode="numeric"
            label="Code from your authenticator app"
            maxLength={MAX_CONFIRM_AUTHENTICATOR_APP_CODE}
            onChange={(event) => setCode(event.target.value.replace(/\D/g, ''))}
            value={code}
          />
          <Button block busy={isBusy} size="lg" type="submit" variant={hasPasskey ? 'secondary' : 'primary'}>
            Continue
          </Button>
        </form>
      )}
      {!hasPasskey && !factors.hasApp && (
        <p>Your passkey does not work in this browser. Please use another one.</p>
      )}
      {factors.recoveryCodes > 0 && (
        <Button
          disabled={isBusy}
          onClick={() => {
            setError(undefined);
            setRecovering(true);
          }}
          variant="ghost"
        >
          Use a recovery code instead
        </Button>
      )}
    </>
  );
}

type RecoveryFormProps = {
  busy: boolean;
  error?: string;
  onCode: (code: string) => void;
  onBack: () => void;
};

/** Asks for a recovery code, which replaces the second factor once. */
function RecoveryForm({ busy, error, onCode, onBack }: RecoveryFormProps) {
  const [code, setCode] = useState('');
  const [isMissing, setMissing] = useState(false);

  function submit(event: FormEvent) {
    event.preventDefault();
    setMissing(!code.trim());
    if (code.trim()) onCode(code.trim());
  }

  return (
    <form className="flex flex-col gap-5" noValidate onSubmit={submit}>
      <p className="text-muted">
        Each code works once. Add a new passkey or authenticator app afterwards, in the settings of your
        profile.
      </p>
      <TextField
        autoCapitalize="characters"
        autoComplete="off"
        error={isMissing ? 'Please enter a recovery code.' : error}
        label="Recovery code"
        onChange={(event) => setCode(event.target.value)}
        value={code}
      />
      <Button block busy={busy} size="lg" type="submit">
        Continue
      </Button>
      <Button disabled={busy} onClick={onBack} variant="ghost">
        Back
      </Button>
    </form>
  );
}
