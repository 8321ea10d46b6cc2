import { useEffect, useState } from 'react';
import { fieldErrors } from '@/api/errors.ts';
import { ApiError } from '@/api/request.ts';
import { requestCode } from '@/api/sharedRequests.ts';
import { storageKeys } from '@/base/storage.ts';
import { paths } from '@/session/paths.ts';
import { setMe } from '@/session/session.ts';
import { Button, type Form, Tabs, toast, useForm } from '@/ui';
import { AgeWait, readAgeWait, storeAgeWait } from './AgeWait.tsx';
import { AuthLayout } from './AuthLayout.tsx';
import { signUp } from './authRequests.ts';
import { CodeStep } from './CodeStep.tsx';
import { readPendingForm, storePendingForm } from './pendingForm.ts';
import { SignInByCode } from './SignInByCode.tsx';
import { emptySignUp, SignUpForm } from './SignUpForm.tsx';
import { checkSignUp, type SignUpInput, type SignUpValues, signUpValues } from './validation.ts';

type Tab = 'sign-up' | 'sign-in';

/** /signup: creates a profile, with a second tab to sign in. */
export default function SignUpScreen() {
  const [pending] = useState(() => readPendingForm<SignUpInput>(storageKeys.signUp));
  const [tab, setTab] = useState<Tab>(() => (readPendingForm(storageKeys.signIn) ? 'sign-in' : 'sign-up'));
  // Here, so that the values survive the step with the code.
  const form = useForm(pending?.values ?? emptySignUp, { check: checkSignUp });
  const signingUp = tab === 'sign-up';
  return (
    <AuthLayout
      destination={paths.discover}
      subtitle={signingUp ? 'Create your authentic profile for meaningful connections' : 'Begin Your Journey'}
      title={signingUp ? 'Create Your Profile' : 'Welcome Back'}
    >
      <Tabs
        label="Sign up or sign in"
        onChange={setTab}
        tabs={[
          {
            value: 'sign-up',
            label: 'Sign Up',
            content: (
              <SignUp
                form={form}
                initialCodeSentAt={pending?.codeSentAt}
                onSignIn={() => setTab('sign-in')}
              />
            ),
          },
          { value: 'sign-in', label: 'Sign In', content: <SignInByCode email={form.values.email} /> },
        ]}
        value={tab}
      />
    </AuthLayout>
  );
}

type SignUpProps = {
  form: Form<SignUpInput>;
  /** When a code was sent before the page was reloaded, in ms. */
  initialCodeSentAt: number | undefined;
  onSignIn: () => void;
};

function SignUp({ form, initialCodeSentAt, onSignIn }: SignUpProps) {
  const [codeSentAt, setCodeSentAt] = useState(initialCodeSentAt);
  const [waitsUntil, setWaitsUntil] = useState(readAgeWait);
  const values = codeSentAt === undefined ? undefined : signUpValues(form.values);
  useEffect(() => {
    if (form.values !== emptySignUp && waitsUntil === undefined)
      storePendingForm(storageKeys.signUp, form.values, codeSentAt);
  }, [form.values, codeSentAt, waitsUntil]);
  const [hasAccount, setHasAccount] = useState(false);

  async function submit(input: SignUpInput) {
    await requestCode(signUpValues(input).email);
    setCodeSentAt(Date.now());
  }

  async function create(next: SignUpValues, code: string) {
    try {
      const me = await signUp(next, code);
      await setMe(me);
      toast({
        title: 'Welcome to Heartward',
        description: me.townKnown
          ? 'Your profile has been created successfully.'
          : "Your profile has been created. We don't know your town: choose one from the list in your profile.",
      });
    } catch (failure) {
      if (failure instanceof ApiError && failure.code === 'age_wait')
        return setWaitsUntil(storeAgeWait(failure));
      setHasAccount(failure instanceof ApiError && failure.code === 'has_account');
      if (form.reject(fieldErrors(failure))) setCodeSentAt(undefined);
      throw failure;
    }
  }

  if (waitsUntil !== undefined) return <AgeWait until={waitsUntil} />;
  if (!values) return <SignUpForm form={form} onSubmit={submit} />;
  return (
    <CodeStep
      backLabel="Change my details"
      busyLabel="Creating Profile..."
      email={values.email}
      onBack={() => setCodeSentAt(undefined)}
      onCode={(code) => create(values, code)}
      onResent={() => setCodeSentAt(Date.now())}
    >
      {hasAccount && (
        <Button block onClick={onSignIn} variant="secondary">
          Sign in instead
        </Button>
      )}
    </CodeStep>
  );
}
