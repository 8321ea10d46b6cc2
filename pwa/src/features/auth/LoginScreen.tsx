import { type KeyboardEvent, Suspense } from 'react';
import { Link, useLocation } from 'react-router';
import { describeError, fieldErrors } from '@/api/errors.ts';
import { canUsePasskeys } from '@/session/passkeys.ts';
import { paths } from '@/session/paths.ts';
import { setMe } from '@/session/session.ts';
import { Button, isComposing, lazyWithRetry, TextField, toast, useAction, useForm } from '@/ui';
import { AuthLayout } from './AuthLayout.tsx';
import { signIn } from './authRequests.ts';
import { BorrowedDevice } from './BorrowedDevice.tsx';
import { type MailedCode, SignInCodeStep, useMailedCode } from './SignInByCode.tsx';
import { checkCodeRequest, checkCredentials } from './validation.ts';

const PasskeySignIn = lazyWithRetry(() => import('./PasskeySignIn.tsx'));

/** /login: sign-in with a mailed code, which every member can have, a password or a passkey. */
export default function LoginScreen() {
  const mailed = useMailedCode();
  const isLeaving = useLocation().search === '?deleted';
  return (
    <AuthLayout
      destination={paths.home}
      subtitle={
        isLeaving
          ? "You're signed out, and hidden from everyone. In 14 days we delete your account for good."
          : 'Sign in to continue your love journey'
      }
      title={isLeaving ? 'Goodbye for now' : 'Welcome Back'}
    >
      {isLeaving && (
        <p className="mb-6 rounded-card bg-plum-soft px-5 py-4 text-plum" role="status">
          We've emailed you the date. If you change your mind before then, sign in here and choose “Keep my
          account”.
        </p>
      )}
      {mailed.codeSentTo ? (
        <SignInCodeStep email={mailed.codeSentTo} mailed={mailed} />
      ) : (
        <LoginForm mailed={mailed} />
      )}
      <Link
        className="mt-3 flex min-h-11 items-center justify-center rounded-control px-4 text-center font-semibold text-ember-strong underline-offset-4 hover:underline"
        to={paths.signUp}
        viewTransition
      >
        Don't have an account? Sign up here
      </Link>
    </AuthLayout>
  );
}

const useLoginForm = () =>
  useForm(
    { email: '', password: '' },
    {
      check: checkCredentials,
      errorText: (failure) => describeError(failure, 'Invalid credentials. Please try again.'),
      errorTitle: 'Login failed',
    },
  );

async function signInWithPassword(credentials: { email: string; password: string }): Promise<void> {
  await setMe(await signIn(credentials));
  toast({ title: 'Welcome back!', description: "You've successfully logged in." });
}

/** The address with a button that mails a code, and the password with one that signs in. */
function LoginForm({ mailed }: { mailed: MailedCode }) {
  const form = useLoginForm();
  const [mailCode, { isBusy: isMailing }] = useAction(async () => {
    try {
      await mailed.send(form.values.email);
    } catch (failure) {
      if (!form.reject(fieldErrors(failure))) throw failure;
    }
  });

  function sendCode() {
    if (!form.reject(checkCodeRequest(form.values))) void mailCode();
  }

  // Enter in the address submits the form, which needs a password.
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || form.values.password || isComposing(event)) return;
    event.preventDefault();
    sendCode();
  }

  return (
    <form className="flex flex-col gap-5" noValidate onSubmit={form.submit(signInWithPassword)}>
      <TextField
        {...form.field('email')}
        autoCapitalize="none"
        autoComplete="username webauthn"
        inputMode="email"
        label="Email"
        onKeyDown={onKeyDown}
        type="email"
      />
      <Button block busy={isMailing} onClick={sendCode} size="lg">
        Email me a code
      </Button>
      <p className="flex items-center gap-3 text-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or with your password, if you set one
      </p>
      <TextField
        autoComplete="current-password"
        label="Password"
        type="password"
        {...form.field('password')}
      />
      <Button block busy={form.isBusy} size="lg" type="submit" variant="secondary">
        {form.isBusy ? 'Signing in...' : 'Sign In'}
      </Button>
      {canUsePasskeys() && (
        <Suspense>
          <PasskeySignIn />
        </Suspense>
      )}
      <BorrowedDevice />
    </form>
  );
}
