import { MAX_APPEAL_TEXT } from '@/api/limits.gen.ts';
import { useOnline } from '@/offline/device/online.ts';
import { Button, TextArea, useForm } from '@/ui';
import { sendAppeal } from './standing.ts';

const check = ({ text }: { text: string }) => ({
  text: text.trim() ? undefined : 'Please tell us why you think this is wrong.',
});

/** The form of the one appeal against a sanction. */
export function AppealForm({ sanctionId }: { sanctionId: string }) {
  const online = useOnline();
  const form = useForm({ text: '' }, { check, inline: true, guardsLeave: true });
  return (
    <form
      className="mt-4 flex flex-col gap-4"
      noValidate
      onSubmit={form.submit(({ text }) => sendAppeal(sanctionId, text.trim()))}
    >
      <TextArea
        {...form.field('text')}
        count={form.values.text.length}
        error={form.errorOf('text') || form.error}
        hint="Tell us what we should know. You can send one appeal."
        label="Your appeal"
        maxLength={MAX_APPEAL_TEXT}
        rows={6}
      />
      <Button busy={form.isBusy} className="self-start" disabled={!online} type="submit">
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
