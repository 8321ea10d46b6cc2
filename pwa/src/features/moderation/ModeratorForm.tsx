import { MAX_APPEAL_TEXT } from '@/api/limits.gen.ts';
import { useOnline } from '@/offline/device/online.ts';
import { Button, TextArea, useForm } from '@/ui';

type ModeratorFormProps = {
  label: string;
  hint: string;
  /** Shown for an empty text. */
  missing: string;
  button: string;
  onSend: (text: string) => Promise<void>;
};

/** The form of a text for the moderators that can be sent once: an appeal or a statement. */
export function ModeratorForm({ label, hint, missing, button, onSend }: ModeratorFormProps) {
  const online = useOnline();
  const check = ({ text }: { text: string }) => ({ text: text.trim() ? undefined : missing });
  const form = useForm({ text: '' }, { check, inline: true, guardsLeave: true });
  return (
    <form
      className="mt-4 flex flex-col gap-4"
      noValidate
      onSubmit={form.submit(({ text }) => onSend(text.trim()))}
    >
      <TextArea
        {...form.field('text')}
        count={form.values.text.length}
        error={form.errorOf('text') || form.error}
        hint={hint}
        label={label}
        maxLength={MAX_APPEAL_TEXT}
        rows={6}
      />
      <Button busy={form.isBusy} className="self-start" disabled={!online} type="submit">
        {button}
      </Button>
      {!online && (
        <p className="text-plum" role="status">
          You're offline. Sending it needs a connection.
        </p>
      )}
    </form>
  );
}
