import { useState } from 'react';
import { requestCode } from '@/api/sharedRequests.ts';
import { storageKeys } from '@/base/storage.ts';
import { setMe } from '@/session/session.ts';
import { Button, TextField, toast, useForm } from '@/ui';
import { signIn } from './authRequests.ts';
import { CodeStep } from './CodeStep.tsx';
import { readPendingForm, storePendingForm } from './pendingForm.ts';
import { checkCodeRequest } from './validation.ts';

type Address = { email: string };

/** Returns the address to which a code was mailed, also before a reload, and functions to send and to forget one. */
export function useMailedCode() {
  const [codeSentTo, setCodeSentTo] = useState(() => {
    const pending = readPendingForm<Address>(storageKeys.signIn);
    return pending?.codeSentAt ? pending.values.email : undefined;
  });
  const store = (email: string) => storePendingForm<Address>(storageKeys.signIn, { email }, Date.now());

  /** Mails a code and remembers the address. */
  async function send(email: string): Promise<void> {
    await requestCode(email);
    store(email);
    setCodeSentTo(email);
  }

  function forget() {
    localStorage.removeItem(storageKeys.signIn);
    setCodeSentTo(undefined);
  }
  return { codeSentTo, send, store, forget };
}

export type MailedCode = ReturnType<typeof useMailedCode>;

/** The step that signs in by the mailed code. */
export function SignInCodeStep({ email, mailed }: Address & { mailed: MailedCode }) {
  return (
    <CodeStep
      backLabel="Use another address"
      busyLabel="Signing In..."
      email={email}
      onBack={mailed.forget}
      onCode={async (code) => {
        await setMe(await signIn({ email, code }));
        toast({ title: 'Welcome back!', description: 'You have been signed in successfully.' });
      }}
      onResent={() => mailed.store(email)}
    />
  );
}

/** Sign-in by a mailed code: first the address, then the code. */
export function SignInByCode({ email: initialEmail }: Address) {
  const mailed = useMailedCode();
  const form = useForm({ email: initialEmail }, { check: checkCodeRequest });
  if (mailed.codeSentTo) return <SignInCodeStep email={mailed.codeSentTo} mailed={mailed} />;
  return (
    <form
      className="flex flex-col gap-5"
      noValidate
      onSubmit={form.submit(({ email }) => mailed.send(email))}
    >
      <TextField
        autoCapitalize="none"
        autoComplete="email"
        hint="We'll email you a code. No password needed."
        inputMode="email"
        label="Email"
        type="email"
        {...form.field('email')}
      />
      <Button block busy={form.isBusy} size="lg" type="submit">
        {form.isBusy ? 'Signing In...' : 'Sign In'}
      </Button>
    </form>
  );
}
