import { useEffect } from 'react';
import { ApiError } from '@/api/request.ts';
import { canAutofillPasskeys, describePasskeyFailure, leaveSignIn } from '@/session/passkeys.ts';
import { setMe } from '@/session/session.ts';
import { Button, toast, useAction } from '@/ui';
import { signIn } from './authRequests.ts';

async function signInByPasskey(passkey: 'autofill' | 'dialog'): Promise<void> {
  await setMe(await signIn({ passkey }));
  toast({ title: 'Welcome back!', description: "You've successfully logged in." });
}

/** Signs in by a passkey that the member chooses with the button, or in the address field, where the browser offers it. */
export default function PasskeySignIn() {
  const [signInByButton, { isBusy }] = useAction(() => signInByPasskey('dialog'), {
    errorText: describePasskeyFailure,
    errorTitle: 'Login failed',
  });
  const [signInByField] = useAction(() => signInByPasskey('autofill'), {
    // Without a network or the server there is nothing to offer in the field, which is no error of the member.
    errorText: (failure) =>
      failure instanceof ApiError && failure.isTemporary ? '' : describePasskeyFailure(failure),
    errorTitle: 'Login failed',
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for the screen; the button replaces the request.
  useEffect(() => {
    let isShown = true;
    void canAutofillPasskeys()
      .then((can) => (can && isShown ? signInByField() : undefined))
      .catch(() => undefined);
    return () => {
      isShown = false;
      leaveSignIn();
    };
  }, []);

  return (
    <Button block busy={isBusy} onClick={signInByButton} size="lg" variant="secondary">
      Sign in with a passkey
    </Button>
  );
}
