import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import { describeError, fieldErrors } from '@/api/errors.ts';
import { requestCode } from '@/api/sharedRequests.ts';
import { Button, TextField, toast, useAction } from '@/ui';
import { digitsOf, isWholeCode } from './validation.ts';

const RESEND_AFTER_SECONDS = 60;

type CodeStepProps = {
  email: string;
  /** Called with the eight digits; the message of an error is shown under the field. */
  onCode: (code: string) => Promise<void>;
  onBack: () => void;
  /** Called when another code was sent. */
  onResent: () => void;
  backLabel: string;
  busyLabel: string;
  /** The title of the toast about an error. */
  failedTitle?: string;
  children?: ReactNode;
};

const errorText = (failure: unknown) => fieldErrors(failure).code ?? describeError(failure);

/** The step that asks for the mailed code. It is submitted with its eighth digit. */
export function CodeStep(props: CodeStepProps) {
  const { email, onCode, onBack, onResent, backLabel, busyLabel, failedTitle, children } = props;
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);

  const [send, { isBusy, error, setError }] = useAction(onCode, {
    errorText,
    errorTitle: failedTitle,
    staysBusy: true,
  });

  async function submit(digits: string) {
    if (isBusy || (await send(digits))) return;
    setCode('');
    field.current?.focus();
  }

  function change(text: string) {
    const digits = digitsOf(text);
    setCode(digits);
    setError('');
    if (isWholeCode(digits)) void submit(digits);
  }

  return (
    <form
      className="flex flex-col gap-5"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isWholeCode(code)) void submit(code);
        else setError('The code has eight digits.');
      }}
    >
      <p className="text-muted">
        We sent an eight-digit code to <strong className="wrap-anywhere text-ink">{email}</strong>. It's valid
        for 10 minutes.
      </p>
      <CodeField
        error={error}
        onChange={(event) => change(event.target.value)}
        readOnly={isBusy}
        ref={field}
        value={code}
      />
      {children}
      <Button block busy={isBusy} size="lg" type="submit">
        {isBusy ? busyLabel : 'Continue'}
      </Button>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Button onClick={onBack} size="sm" variant="ghost">
          {backLabel}
        </Button>
        <Resend email={email} onResent={onResent} />
      </div>
    </form>
  );
}

const CodeField = (props: Omit<ComponentProps<typeof TextField>, 'label'>) => (
  <TextField
    autoComplete="one-time-code"
    autoFocus
    className="h-16 text-center font-semibold text-2xl tracking-[0.3em] tabular-nums"
    enterKeyHint="go"
    inputMode="numeric"
    label="Your code"
    name="code"
    {...props}
  />
);

function Resend({ email, onResent }: { email: string; onResent: () => void }) {
  const [secondsLeft, setSecondsLeft] = useState(RESEND_AFTER_SECONDS);
  useEffect(() => {
    if (secondsLeft <= 0) return;
    const timer = setTimeout(() => setSecondsLeft(secondsLeft - 1), 1000);
    return () => clearTimeout(timer);
  }, [secondsLeft]);

  const [resend] = useAction(async () => {
    await requestCode(email);
    onResent();
    toast({ title: 'Your code is on its way', description: email });
    setSecondsLeft(RESEND_AFTER_SECONDS);
  });

  return (
    <Button disabled={secondsLeft > 0} onClick={resend} size="sm" variant="ghost">
      {secondsLeft > 0 ? `Send again in ${secondsLeft} s` : 'Send the code again'}
    </Button>
  );
}
