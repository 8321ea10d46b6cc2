import { useState } from 'react';
import { api, unwrap } from '@/api/client.ts';
import { MAX_CONFIRM_AUTHENTICATOR_APP_CODE } from '@/api/limits.gen.ts';
import type { Factors } from '@/api/types.ts';
import { refreshFactors } from '@/session/factors.ts';
import { canUsePasskeys, describePasskeyFailure, proveByPasskey } from '@/session/passkeys.ts';
import { Button, TextField, useAction, useForm } from '@/ui';
import { checkAppCode } from './validation.ts';

/** Asks an admin for the second factor. */
export function FactorStep({ factors }: { factors: Factors }) {
  const form = useForm({ code: '' }, { check: checkAppCode, errorTitle: 'Login Failed' });
  const [isRecovering, setRecovering] = useState(false);
  const hasPasskey = canUsePasskeys() && factors.passkeys.some(({ isFactor }) => isFactor);

  const [provePasskey, { isBusy: isProvingPasskey }] = useAction(
    async () => {
      await proveByPasskey();
      await refreshFactors();
    },
    { errorText: describePasskeyFailure, errorTitle: 'Login Failed' },
  );
  const isBusy = form.isBusy || isProvingPasskey;

  if (isRecovering) return <RecoveryForm onBack={() => setRecovering(false)} />;
  return (
    <>
      <p className="text-muted">One more step: confirm that it is you.</p>
      {hasPasskey && (
        <Button block busy={isBusy} onClick={provePasskey} size="lg">
          Use your passkey
        </Button>
      )}
      {factors.hasApp && (
        <form
          className="flex flex-col gap-5"
          noValidate
          onSubmit={form.submit(({ code }) => prove({ appCode: code }))}
        >
          <TextField
            autoComplete="one-time-code"
            inputMode="numeric"
            label="Code from your authenticator app"
            maxLength={MAX_CONFIRM_AUTHENTICATOR_APP_CODE}
            {...form.field('code')}
            error={form.errorOf('code') || form.error}
            onChange={({ target }) => form.set({ code: target.value.replace(/\D/g, '') })}
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
        <Button disabled={isBusy} onClick={() => setRecovering(true)} variant="ghost">
          Use a recovery code instead
        </Button>
      )}
    </>
  );
}

async function prove(proof: { appCode: string } | { recoveryCode: string }): Promise<void> {
  await unwrap(api.POST('/api/auth/proof', { body: proof }));
  await refreshFactors();
}

const checkRecoveryCode = ({ code }: { code: string }) => ({
  code: code.trim() ? undefined : 'Please enter a recovery code.',
});

/** Asks for a recovery code, which replaces the second factor once. */
function RecoveryForm({ onBack }: { onBack: () => void }) {
  const form = useForm({ code: '' }, { check: checkRecoveryCode, errorTitle: 'Login Failed' });

  return (
    <form
      className="flex flex-col gap-5"
      noValidate
      onSubmit={form.submit(({ code }) => prove({ recoveryCode: code.trim() }))}
    >
      <p className="text-muted">
        Each code works once. Add a new passkey or authenticator app afterwards, in the settings of your
        profile.
      </p>
      <TextField
        autoCapitalize="characters"
        autoComplete="off"
        label="Recovery code"
        {...form.field('code')}
        error={form.errorOf('code') || form.error}
      />
      <Button block busy={form.isBusy} size="lg" type="submit">
        Continue
      </Button>
      <Button disabled={form.isBusy} onClick={onBack} variant="ghost">
        Back
      </Button>
    </form>
  );
}
