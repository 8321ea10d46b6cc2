import { useState } from 'react';
import { describeError } from '@/api/client.ts';
import { ApiError } from '@/api/request.ts';
import { requestCode } from '@/api/shared.ts';
import { setMe } from '@/session/session.ts';
import { Button, TextField, toast, toastError } from '@/ui';
import { CodeStep } from './CodeStep.tsx';
import { signIn } from './requests.ts';
import { useForm } from './useForm.ts';
import { checkCodeRequest } from './validation.ts';

/** Sign-in by a mailed code: first the address, then the code. */
export function SignInByCode({ email: initialEmail = '' }: { email?: string }) {
  const [codeSentTo, setCodeSentTo] = useState<string>();
  const form = useForm({ email: initialEmail }, checkCodeRequest);

  async function submit({ email }: { email: string }) {
    try {
      await requestCode(email);
      setCodeSentTo(email);
    } catch (failure) {
      if (failure instanceof ApiError && failure.fieldErrors.email) {
        form.reject({ email: failure.fieldErrors.email });
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
    <form className="flex flex-col gap-5" noValidate onSubmit={form.submit(submit)}>
      <TextField
        autoCapitalize="none"
        autoComplete="email"
        hint="We mail you a code. No password needed."
        inputMode="email"
        label="Email"
        type="email"
        {...form.field('email')}
      />
      <Button block busy={form.busy} size="lg" type="submit">
        {form.busy ? 'Signing In...' : 'Sign In'}
      </Button>
    </form>
  );
}
