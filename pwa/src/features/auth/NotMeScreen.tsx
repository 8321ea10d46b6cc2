import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { api, unwrap } from '@/api/client.ts';
import { describeError } from '@/api/errors.ts';
import { ApiError } from '@/api/request.ts';
import { paths } from '@/session/paths.ts';
import { Button, ButtonLink, Logo, toastError } from '@/ui';

type Step = 'ask' | 'sessionEnded' | 'passwordRemoved' | 'passkeyRemoved' | 'emailKept' | 'linkEnded';

/** /not-me#token: the link in a mail about a sign-in, a password, a passkey or another address. It ends the session only after a tap on the button. */
export default function NotMeScreen() {
  const token = useLocation().hash.slice(1);
  const [step, setStep] = useState<Step>(token ? 'ask' : 'linkEnded');
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    document.title = 'Was this not you? · Heartward';
  }, []);

  async function disown() {
    setBusy(true);
    try {
      const { passwordRemoved, passkeyRemoved, emailKept } = await unwrap(
        api.POST('/api/auth/disown', { body: { token } }),
      );
      if (passkeyRemoved) setStep('passkeyRemoved');
      else if (emailKept) setStep('emailKept');
      else setStep(passwordRemoved ? 'passwordRemoved' : 'sessionEnded');
    } catch (failure) {
      if (failure instanceof ApiError && failure.code === 'notice_ended') setStep('linkEnded');
      else toastError(describeError(failure));
    }
    setBusy(false);
  }

  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-lg flex-col px-safe py-6" id="main">
      <p className="mb-6 flex items-center gap-2 font-display font-semibold text-xl">
        <Logo className="size-8" />
        Heartward
      </p>
      {step === 'ask' && (
        <Card
          text="We sign out the device that our email is about. If it is about a new password or passkey, we remove it and sign out all devices. If it is about another email address, your address stays as it is and all devices are signed out."
          title="Was this not you?"
        >
          <Button block busy={busy} onClick={disown} size="lg">
            Sign it out
          </Button>
          <ButtonLink className="mt-3" reloadDocument size="lg" to={paths.home} variant="secondary">
            It was me
          </ButtonLink>
        </Card>
      )}
      {step === 'sessionEnded' && (
        <Card
          text="If you use a password, please set a new one now: someone else may know it."
          title="That device is signed out"
        >
          <ToSettings />
        </Card>
      )}
      {step === 'passwordRemoved' && (
        <Card
          text="All devices are signed out. Sign in with a code by email; you can set another password in your settings."
          title="That password no longer works"
        >
          <ToSettings />
        </Card>
      )}
      {step === 'passkeyRemoved' && (
        <Card
          text="All devices are signed out. Sign in with a code by email; please set a new password too if you use one: someone else may know it."
          title="That passkey no longer works"
        >
          <ToSettings />
        </Card>
      )}
      {step === 'emailKept' && (
        <Card
          text="All devices are signed out. Sign in again, and please set a new password if you use one: someone else may know it."
          title="Your email address stays as it is"
        >
          <ToSettings />
        </Card>
      )}
      {step === 'linkEnded' && (
        <Card
          text="It was used already, or it is older than seven days. In your settings you can sign out other devices and set a new password."
          title="This link has ended"
        >
          <ToSettings />
        </Card>
      )}
    </main>
  );
}

/** Loads the page anew, because the session of this browser may have ended too. */
const ToSettings = () => (
  <ButtonLink reloadDocument size="lg" to={paths.profileTab('settings')}>
    Go to your settings
  </ButtonLink>
);

function Card({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="card flex flex-col p-5" role="status">
      <h1 className="font-display font-semibold text-2xl">{title}</h1>
      <p className="mt-3 mb-5 text-muted">{text}</p>
      {children}
    </div>
  );
}
