import { ApiError } from '@/api/request.ts';
import { setMe } from '@/session/session.ts';
import { Button, toast, useAction } from '@/ui';
import { type Credentials, signIn } from './requests.ts';

/** An account whose member asked for its deletion. */
export type Leaving = {
  credentials: Credentials;
  /** The server's sentences with the time of the deletion. */
  text: string;
};

/** Signs in. Returns the account instead if its member asked for its deletion, so that the screen can ask what to do. */
export async function signInUnlessLeaving(credentials: Credentials): Promise<Leaving | undefined> {
  try {
    await setMe(await signIn(credentials));
    return undefined;
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.code !== 'account_leaving') throw failure;
    return {
      credentials: 'passkey' in credentials ? { passkey: 'dialog' } : credentials,
      text: failure.detail,
    };
  }
}

/** Offers to keep an account that is going to be deleted. */
export function KeepAccount({ credentials, text, onBack }: Leaving & { onBack: () => void }) {
  async function keepAccount() {
    try {
      await setMe(await signIn({ ...credentials, keepAccount: true }));
      toast({ title: 'Welcome back!', description: 'Your account stays.' });
    } catch (failure) {
      // The code may have expired: the next attempt begins with a new one.
      if (failure instanceof ApiError && !failure.isTemporary) onBack();
      throw failure;
    }
  }
  const [keep, { isBusy }] = useAction(keepAccount, { staysBusy: true });

  return (
    <section aria-labelledby="keep-title" className="flex flex-col gap-4">
      <h2 className="font-display font-semibold text-xl" id="keep-title">
        Would you like to stay?
      </h2>
      <p>{text}</p>
      <p className="text-muted">
        If you keep it, your profile, matches and conversations are as you left them.
      </p>
      <Button block busy={isBusy} onClick={keep} size="lg">
        Keep my account
      </Button>
      <Button disabled={isBusy} onClick={onBack} variant="ghost">
        Not now
      </Button>
    </section>
  );
}
