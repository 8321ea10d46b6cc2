import { useState } from 'react';
import { api, unwrap } from '@/api/client.ts';
import { MAX_CONFIRM_AUTHENTICATOR_APP_CODE } from '@/api/limits.gen.ts';
import { refreshFactors } from '@/session/factors.ts';
import { addPasskey, canUsePasskeys, describePasskeyFailure } from '@/session/passkeys.ts';
import { Button, TextField, useForm } from '@/ui';
import { checkAppCode } from './validation.ts';

type FactorSetupProps = {
  canPasskey: boolean;
  /** Whether the server requires the setup code of the command line. */
  needsCode: boolean;
};

type NewApp = { secret: string; url: string; qrCode: string };

/** Sets up an admin's first second factor. */
export function FactorSetup({ canPasskey, needsCode }: FactorSetupProps) {
  const form = useForm(
    { setupCode: '' },
    {
      check: ({ setupCode }) => ({
        setupCode: needsCode && !setupCode.trim() ? 'Please enter the setup code.' : undefined,
      }),
      errorText: describePasskeyFailure,
    },
  );
  const [app, setApp] = useState<NewApp>();
  const code = needsCode ? form.values.setupCode.trim() : undefined;

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
          label="Setup code"
          {...form.field('setupCode')}
        />
      )}
      {canPasskey && canUsePasskeys() && (
        <Button
          block
          busy={form.isBusy}
          onClick={() =>
            form.run(async () => {
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
        busy={form.isBusy}
        onClick={() =>
          form.run(async () => setApp(await unwrap(api.POST('/api/auth/app', { body: { setupCode: code } }))))
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
  const form = useForm({ code: '' }, { check: checkAppCode, inline: true });

  async function confirm({ code }: { code: string }) {
    await unwrap(api.PUT('/api/auth/app', { body: { code, setupCode } }));
    await refreshFactors();
  }

  return (
    <form className="flex flex-col gap-5" noValidate onSubmit={form.submit(confirm)}>
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
        inputMode="numeric"
        label="Code from the app"
        maxLength={MAX_CONFIRM_AUTHENTICATOR_APP_CODE}
        {...form.field('code')}
        error={form.errorOf('code') || form.error}
        onChange={({ target }) => form.set({ code: target.value.replace(/\D/g, '') })}
      />
      <Button block busy={form.isBusy} size="lg" type="submit">
        Confirm
      </Button>
      <Button disabled={form.isBusy} onClick={onBack} variant="ghost">
        Back
      </Button>
    </form>
  );
}
