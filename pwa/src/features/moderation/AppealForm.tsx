import { type SubmitEvent, useState } from 'react';
import { describeError } from '@/api/errors.ts';
import { MAX_APPEAL_TEXT } from '@/api/limits.gen.ts';
import { useOnline } from '@/offline/device/online.ts';
import { Button, TextArea } from '@/ui';
import { sendAppeal } from './standing.ts';

/** The form of the one appeal against a sanction. */
export function AppealForm({ sanctionId }: { sanctionId: string }) {
  const online = useOnline();
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    if (!text.trim()) return setError('Please tell us why you think this is wrong.');
    setBusy(true);
    setError(undefined);
    await sendAppeal(sanctionId, text.trim()).catch((failure: unknown) => setError(describeError(failure)));
    setBusy(false);
  }

  return (
    <form className="mt-4 flex flex-col gap-4" noValidate onSubmit={submit}>
      <TextArea
        count={text.length}
        error={error}
        hint="Tell us what we should know. You can send one appeal."
        label="Your appeal"
        maxLength={MAX_APPEAL_TEXT}
        onChange={({ target }) => setText(target.value)}
        rows={6}
        value={text}
      />
      <Button busy={busy} className="self-start" disabled={!online} type="submit">
        Send appeal
      </Button>
      {!online && (
        <p className="text-plum" role="status">
          You're offline. Sending an appeal needs a connection.
        </p>
      )}
    </form>
  );
}
