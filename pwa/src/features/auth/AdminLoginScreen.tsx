import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { api, describeLoadError, unwrap } from '@/api/client.ts';
import type { Me } from '@/api/types.ts';
import { useFactors } from '@/session/factors.ts';
import { nextPath, paths } from '@/session/paths.ts';
import { SignedIn } from '@/session/SignedIn.tsx';
import { SignOutButton } from '@/session/SignOutButton.tsx';
import { setMe, useMe } from '@/session/session.ts';
import { Button, ButtonLink, ErrorState, Logo, Skeleton, TextField, toast, useForm } from '@/ui';
import { signIn } from './authRequests.ts';
import { CodeStep } from './CodeStep.tsx';
import { CookieNotice } from './CookieNotice.tsx';
import { FactorSetup } from './FactorSetup.tsx';
import { FactorStep } from './FactorStep.tsx';
import { checkCodeRequest } from './validation.ts';

/** /admin/login: the address, the mailed code and the second factor of an admin. */
export default function AdminLoginScreen() {
  const { me, status } = useMe();
  useEffect(() => {
    document.title = 'Admin sign-in · Heartward';
  }, []);
  return (
    <main
      className="mx-auto flex min-h-dvh w-full max-w-lg flex-col px-safe pt-safe pb-safe md:justify-center"
      id="main"
    >
      <div className="py-6">
        <p className="mb-6 flex items-center gap-2 font-display font-semibold text-xl">
          <Logo className="size-8" />
          Heartward
        </p>
        <h1 className="mb-6 font-display font-semibold text-2xl">Admin sign-in</h1>
        <CookieNotice />
        {status === 'loading' && <Skeleton className="h-40" />}
        {status === 'offline' && <p className="text-muted">You're offline. Please connect to sign in.</p>}
        {status === 'signedOut' && <AddressAndCode />}
        {status === 'signedIn' && me && <SecondFactor me={me} />}
      </div>
    </main>
  );
}

/** Mails a code to the address and signs in by it. */
function AddressAndCode() {
  const [sentTo, setSentTo] = useState<string>();
  const form = useForm({ email: '' }, { check: checkCodeRequest, errorTitle: 'Login Failed' });
  const demo = useQuery({
    queryKey: ['admin-login'],
    queryFn: () => unwrap(api.GET('/api/admin/login')),
  });

  async function send(email: string) {
    await unwrap(api.POST('/api/admin/login', { body: { email } }));
    setSentTo(email);
  }

  if (sentTo)
    return (
      <CodeStep
        backLabel="Use another address"
        busyLabel="Signing In..."
        email={sentTo}
        failedTitle="Login Failed"
        onBack={() => setSentTo(undefined)}
        onCode={async (code) => setMe(await signIn({ email: sentTo, code }))}
        onResent={() => undefined}
      />
    );
  return (
    <form
      className="flex flex-col gap-5"
      noValidate
      onSubmit={form.submit(({ email }) => send(email.trim()))}
    >
      <TextField
        autoCapitalize="none"
        autoComplete="username"
        hint={
          demo.data?.demoEmail
            ? `Demo: ${demo.data.demoEmail}`
            : "We'll email you a code. No password needed."
        }
        inputMode="email"
        label="Email"
        type="email"
        {...form.field('email')}
      />
      <Button block busy={form.isBusy} size="lg" type="submit">
        Email me a code
      </Button>
    </form>
  );
}

/** What the session of a signed-in member needs for an admin's rights. */
function SecondFactor({ me }: { me: Me }) {
  const { search } = useLocation();
  const factors = useFactors();
  const [skipped, setSkipped] = useState(false);
  const [wasIncomplete, setIncomplete] = useState(false);
  const state = factors.data?.adminSession;
  const done = state === 'ready' || (state === 'optional' && skipped);
  useEffect(() => {
    if (state && !done) setIncomplete(true);
    if (done && wasIncomplete) toast({ title: 'Admin Login Successful' });
  }, [state, done, wasIncomplete]);

  if (factors.isError)
    return (
      <ErrorState
        onRetry={factors.refetch}
        text={describeLoadError(factors.error)}
        title="The sign-in could not be loaded"
      />
    );
  if (!factors.data) return <Skeleton className="h-40" />;
  if (done) return <Navigate replace to={nextPath(search, paths.admin)} />;
  if (state === 'none') return <NoAdmin email={me.email} memberId={me.id} />;
  const hasFactor = factors.data.hasApp || factors.data.passkeys.some(({ isFactor }) => isFactor);
  return (
    <div className="flex flex-col gap-5">
      {hasFactor ? (
        <FactorStep factors={factors.data} />
      ) : (
        <FactorSetup canPasskey={factors.data.canPasskey} needsCode={state === 'setup'} />
      )}
      {state === 'optional' && (
        <Button onClick={() => setSkipped(true)} variant="ghost">
          Not now
        </Button>
      )}
    </div>
  );
}

function NoAdmin({ email, memberId }: { email: string; memberId: string }) {
  return (
    <div className="flex flex-col items-start gap-4">
      <p>
        You are signed in as <strong className="wrap-anywhere">{email}</strong>, which isn't an admin's
        account.
      </p>
      <ButtonLink to={paths.home} variant="secondary">
        Go to the app
      </ButtonLink>
      <SignedIn key={memberId} memberId={memberId}>
        <SignOutButton />
      </SignedIn>
    </div>
  );
}
