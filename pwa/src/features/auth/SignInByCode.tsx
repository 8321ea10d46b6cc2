import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { describeError } from '@/api/client.ts';
import { ApiError } from '@/api/request.ts';
import { requestCode } from '@/api/shared.ts';
import { setMe } from '@/session/session.ts';
import { Button, TextField, toast, toastError } from '@/ui';
import { CodeStep } from './CodeStep.tsx';
import { signIn } from './requests.ts';
import { emailSchema } from './schema.ts';

/** Address, then the mailed code: no password needed. */
export function SignInByCode({ email: known = '' }: { email?: string }) {
  const [asked, setAsked] = useState<string>();
  const form = useForm({ resolver: zodResolver(emailSchema), defaultValues: { email: known } });
  const { errors, isSubmitting } = form.formState;

  async function ask({ email }: { email: string }) {
    try {
      await requestCode(email);
      setAsked(email);
    } catch (failure) {
      if (failure instanceof ApiError && failure.fieldErrors.email) {
        form.setError('email', { message: failure.fieldErrors.email });
        return;
      }
      toastError(describeError(failure));
    }
  }

  if (asked) {
    return (
      <CodeStep
        backLabel="Use another address"
        busyLabel="Signing In..."
        email={asked}
        onBack={() => setAsked(undefined)}
        onCode={async (code) => {
          await setMe(await signIn({ email: asked, code }));
          toast({ title: 'Welcome back!', description: 'You have been signed in successfully.' });
        }}
      />
    );
  }
  return (
    <form className="flex flex-col gap-5" noValidate onSubmit={form.handleSubmit(ask)}>
      <TextField
        autoCapitalize="none"
        autoComplete="email"
        error={errors.email?.message}
        hint="We mail you a code. No password needed."
        inputMode="email"
        label="Email"
        type="email"
        {...form.register('email')}
      />
      <Button block busy={isSubmitting} size="lg" type="submit">
        {isSubmitting ? 'Signing In...' : 'Sign In'}
      </Button>
    </form>
  );
}
