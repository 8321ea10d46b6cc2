import { type SubmitEvent, useState } from 'react';
import { api, unwrap } from '@/api/client.ts';
import { fieldErrors } from '@/api/errors.ts';
import { MAX_CONFIRM_AUTHENTICATOR_APP_CODE } from '@/api/limits.gen.ts';
import { ApiError } from '@/api/request.ts';
import { refreshFactors } from '@/session/factors.ts';
import { addPasskey, canUsePasskeys, PasskeyCancelled } from '@/session/passkeys.ts';
import { Button, TextField, useAction } from '@/ui';

type FactorSetupProps = {
  canPasskey: boolean;
  /** Whether the server requires the setup code of the command line. */
  needsCode: boolean;
};

type NewApp = { secret: string; url: string; qrCode: string };

/** Sets up an admin's first second factor. */
export function FactorSetup({ canPasskey, needsCode }: FactorSetupProps) {
  const [setupCode, setSetupCode] = useState('');
  const [error, setError] = useState<string>();
  const [app, setApp] = useState<NewApp>();
  const code = needsCode ? setupCode.trim() : undefined;

  const [start, { isBusy }] = useAction(async (action: () => Promise<void>) => {
    setError(undefined);
    try {
      await action();
    } catch (failure) {
      if (failure instanceof PasskeyCancelled) return;
      const { setupCode: rejected } = fieldErrors(failure);
      if (!rejected) throw failure;
      setError(rejected);
    }
  });

  function run(action: () => Promise<void>) {
    if (needsCode && !code) setError('Please enter the setup code.');
    else void start(action);
  }

  if (app) return <ConfirmApp app={app} onBack={() => setApp(undefined)} setupCode={code} />;
  return (
    <>
      <h2 className="font-display font-semibold text-xl">Set up a second factor</h2>
      <p className="text-muted">
        {needsCode
          ? 'Admins confirm each sign-in with a passkey or an authenticator app. The setup code was printed when you were made an admin.'
          : 'A passkey or an authenticator app protects your admin account. It is optional on this site.'}
      </p>
      {needsCode && (
        <TextField
          autoCapitalize="characters"
          autoComplete="off"
          error={error}
          label="Setup code"
          onChange={(event) => setSetupCode(event.target.value)}
          value={setupCode}
        />
      )}
      {canPasskey && canUsePasskeys() && (
        <Button
          block
          busy={isBusy}
          onClick={() =>
            run(async () => {
              await addPasskey(code);
              await refreshFactors();
            })
          }
          size="lg"
        >
          Add a passkey
        </Button>
      )}
      <Button
        block
        busy={isBusy}
        onClick={() =>
          run(async () => setApp(await unwrap(api.POST('/api/auth/app', { body: { setupCode: code } }))))
        }
        size="lg"
        variant="secondary"
      >
        Use an authenticator app
      </Button>
    </>
  );
}

type ConfirmAppProps = { app: NewApp; setupCode?: string; onBack: () => void };

/** Shows the secret of the app and asks for its first code. */
function ConfirmApp({ app, setupCode, onBack }: ConfirmAppProps) {
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();

  const [confirm, { isBusy }] = useAction(async () => {
    setError(undefined);
    try {
      await unwrap(api.PUT('/api/auth/app', { body: { code, setupCode } }));
      await refreshFactors();
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.status !== 403) throw failure;
      setError(failure.detail);
    }
  });

  function submit(event: SubmitEvent) {
    event.preventDefault();
    if (code.length === 6) void confirm();
    else setError('The code has six digits.');
  }

  return (
    <form className="flex flex-col gap-5" noValidate onSubmit={submit}>
      <h2 className="font-display font-semibold text-xl">Add Heartward to your app</h2>
      <p className="text-muted">Scan this with your authenticator app, or type the key into it.</p>
      {/* The picture has its own light background, which the code needs in every theme. */}
      <img
        alt="QR code of the key below"
        className="self-center rounded-control"
        height={220}
        src={app.qrCode}
        width={220}
      />
      <p className="wrap-anywhere text-center font-semibold tracking-wider">
        {app.secret.match(/.{1,4}/g)?.join(' ')}
      </p>
      <TextField
        autoComplete="one-time-code"
        error={error}
        inputMode="numeric"
        label="Code from the app"
        maxLength={MAX_CONFIRM_AUTHENTICATOR_APP_CODE}
        onChange={(event) => setCode(event.target.value.replace(/\D/g, ''))}
        value={code}
      />
      <Button block busy={isBusy} size="lg" type="submit">
        Confirm
      </Button>
      <Button disabled={isBusy} onClick={onBack} variant="ghost">
        Back
      </Button>
    </form>
  );
}
