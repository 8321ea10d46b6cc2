import { useState } from 'react';
import { Link } from 'react-router';
import { ApiError } from '@/api/request.ts';
import { paths } from '@/session/paths.ts';
import { setMe } from '@/session/session.ts';
import { Button, TextField, toast, toastError } from '@/ui';
import { AuthLayout } from './AuthLayout.tsx';
import { signIn } from './requests.ts';
import { SignInByCode } from './SignInByCode.tsx';
import { useForm } from './useForm.ts';
import { checkCredentials } from './validation.ts';

type SignInMethod = 'password' | 'code';

/** /login: sign-in with a password or a mailed code. */
export default function LoginScreen() {
  const [method, setMethod] = useState<SignInMethod>('password');
  const other = method === 'password' ? 'code' : 'password';
  return (
    <AuthLayout
      destination={paths.home}
      subtitle="Sign in to continue your love journey"
      title="Welcome Back"
    >
      {method === 'password' ? <PasswordForm /> : <SignInByCode />}
      <div className="mt-3 flex flex-col gap-1">
        <Button block onClick={() => setMethod(other)} variant="ghost">
          {other === 'code' ? 'Sign in with a code by email' : 'Sign in with a password'}
        </Button>
        <Link
          className="inline-flex min-h-11 items-center justify-center rounded-control px-4 text-center font-semibold text-ember-strong underline-offset-4 hover:underline"
          to={paths.signUp}
          viewTransition
        >
          Don't have an account? Sign up here
        </Link>
      </div>
    </AuthLayout>
  );
}

function PasswordForm() {
  const form = useForm({ email: '', password: '' }, checkCredentials);

  async function submit(credentials: { email: string; password: string }) {
    try {
      await setMe(await signIn(credentials));
      toast({ title: 'Welcome back!', description: "You've successfully logged in." });
    } catch (failure) {
      const description =
        failure instanceof ApiError ? failure.detail : 'Invalid credentials. Please try again.';
      toastError(description, 'Login failed');
    }
  }

  return (
    <form className="flex flex-col gap-5" noValidate onSubmit={form.submit(submit)}>
      <TextField
        autoCapitalize="none"
        autoComplete="username"
        inputMode="email"
        label="Email"
        type="email"
        {...form.field('email')}
      />
      <TextField
        autoComplete="current-password"
        label="Password"
        type="password"
        {...form.field('password')}
      />
      <Button block busy={form.busy} size="lg" type="submit">
        {form.busy ? 'Signing in...' : 'Sign In'}
      </Button>
    </form>
  );
}
