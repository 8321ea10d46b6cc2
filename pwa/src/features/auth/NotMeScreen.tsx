import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { api, unwrap } from '@/api/client.ts';
import { ApiError } from '@/api/request.ts';
import type { Disowned } from '@/api/types.ts';
import { paths } from '@/session/paths.ts';
import { Button, ButtonLink, Logo, useAction } from '@/ui';

type Step = 'ask' | 'linkEnded' | Disowned;

/** /not-me#token: the link in a mail about a sign-in, a password, a passkey or another address, also one that was changed already. It changes something only after a tap on the button. */
export default function NotMeScreen() {
  const token = useLocation().hash.slice(1);
  const [step, setStep] = useState<Step>(token ? 'ask' : 'linkEnded');
  useEffect(() => {
    document.title = 'Was this not you? · Heartward';
  }, []);

  const [disown, { isBusy }] = useAction(async () => {
    try {
      setStep(await unwrap(api.POST('/api/auth/disown', { body: { token } })));
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.code !== 'notice_ended') throw failure;
      setStep('linkEnded');
    }
  });

  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-lg flex-col px-safe py-6" id="main">
      <p className="mb-6 flex items-center gap-2 font-display font-semibold text-xl">
        <Logo className="size-8" />
        Heartward
      </p>
      {step === 'ask' && (
        <Card
          text="We sign out the device that our email is about, and remove your password if you have one, because someone else may know it. If our email is about a new password or passkey, or another email address, we undo that too and sign out all devices."
          title="Was this not you?"
        >
          <Button block busy={isBusy} onClick={disown} size="lg">
            Sign it out
          </Button>
          <ButtonLink className="mt-3" reloadDocument size="lg" to={paths.home} variant="secondary">
            It was me
          </ButtonLink>
        </Card>
      )}
      {typeof step === 'object' && (
        <Card text={textOf(step)} title={titleOf(step)}>
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

function titleOf({
  passwordRemoved,
  passkeyRemoved,
  emailKept,
  emailRestored,
  allSessionsEnded,
}: Disowned): string {
  if (emailRestored) return 'Your email address is back';
  if (emailKept) return 'Your email address stays as it is';
  if (passkeyRemoved) return 'That passkey no longer works';
  return allSessionsEnded && passwordRemoved ? 'That password no longer works' : 'That device is signed out';
}

/** Says what has happened and what to do next. */
function textOf({ passwordRemoved, allSessionsEnded }: Disowned): string {
  const ended = allSessionsEnded ? 'All devices are signed out.' : 'Your other devices stay signed in.';
  const next = passwordRemoved
    ? 'Your password is removed, because someone else may know it: sign in with a code by email, and set a new password in your settings if you want one.'
    : 'You sign in with a code by email. If someone else can read your email, please change the password of your mailbox.';
  return `${ended} ${next}`;
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
