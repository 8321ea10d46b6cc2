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

/** Sign-in by a mailed code: first the address, then the code. */
export function SignInByCode({ email: initialEmail = '' }: { email?: string }) {
  const [codeSentTo, setCodeSentTo] = useState<string>();
  const form = useForm({ resolver: zodResolver(emailSchema), defaultValues: { email: initialEmail } });
  const { errors, isSubmitting } = form.formState;

  async function submit({ email }: { email: string }) {
    try {
      await requestCode(email);
      setCodeSentTo(email);
    } catch (failure) {
      if (failure instanceof ApiError && failure.fieldErrors.email) {
        form.setError('email', { message: failure.fieldErrors.email });
        return;
      }
      toastError(describeError(failure));
    }
  }

  if (codeSentTo) {
    return (
      <CodeStep
        backLabel="Use another address"
        busyLabel="Signing In..."
        email={codeSentTo}
        onBack={() => setCodeSentTo(undefined)}
        onCode={async (code) => {
          await setMe(await signIn({ email: codeSentTo, code }));
          toast({ title: 'Welcome back!', description: 'You have been signed in successfully.' });
        }}
      />
    );
  }
  return (
    <form className="flex flex-col gap-5" noValidate onSubmit={form.handleSubmit(submit)}>
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
