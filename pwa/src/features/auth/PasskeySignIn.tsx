import { useEffect } from 'react';
import { describeError } from '@/api/errors.ts';
import { ApiError } from '@/api/request.ts';
import { canAutofillPasskeys, leaveSignIn, PasskeyCancelled } from '@/session/passkeys.ts';
import { setMe } from '@/session/session.ts';
import { Button, toast, toastError, useAction } from '@/ui';
import { signIn } from './authRequests.ts';

/** Signs in by a passkey that the member chooses with the button, or in the address field, where the browser offers it. */
export default function PasskeySignIn() {
  async function signInByPasskey(autofill: boolean) {
    try {
      await setMe(await signIn({ passkey: autofill ? 'autofill' : 'dialog' }));
      toast({ title: 'Welcome back!', description: "You've successfully logged in." });
    } catch (failure) {
      // Without a network or the server there is nothing to offer in the field, which is no error of the member.
      const isSilent = autofill && failure instanceof ApiError && failure.isTemporary;
      if (!(failure instanceof PasskeyCancelled) && !isSilent)
        toastError(describeError(failure), 'Login failed');
    }
  }

  const [signInByButton, { isBusy }] = useAction(() => signInByPasskey(false));

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for the screen; the button replaces the request.
  useEffect(() => {
    let isShown = true;
    void canAutofillPasskeys()
      .then((can) => (can && isShown ? signInByPasskey(true) : undefined))
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
