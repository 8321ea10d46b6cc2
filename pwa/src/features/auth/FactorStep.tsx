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
    </>
  );
}
