import { HandHeart } from 'lucide-react';
import { useId, useState } from 'react';
import { api, unwrap } from '@/api/client.ts';
import { describeError } from '@/api/errors.ts';
import { MAX_REPORT_ISSUE_DESCRIPTION } from '@/api/limits.gen.ts';
import type { IssueKind } from '@/api/types.ts';
import {
  Button,
  type Errors,
  FailureText,
  type Form,
  Select,
  Sheet,
  TextArea,
  TextField,
  useForm,
} from '@/ui';

const MIN_LENGTH = 10;

const kinds: { value: IssueKind; label: string }[] = [
  { value: 'safety', label: 'My safety, or that of others' },
  { value: 'community', label: 'The community board' },
  { value: 'account', label: 'My account' },
  { value: 'technical', label: 'Something does not work' },
  { value: 'other', label: 'Something else' },
];

type Fields = { kind: IssueKind | ''; description: string; email: string };

function check({ kind, description, email }: Fields): Errors<Fields> {
  const errors: Errors<Fields> = {};
  if (!kind) errors.kind = 'Please choose what it is about.';
  if (description.trim().length < MIN_LENGTH)
    errors.description = 'Please tell us a little more, in at least 10 characters.';
  if (email.trim() && !/^[^@\s]+@[^@\s]+$/.test(email.trim()))
    errors.email = 'Please enter a valid email address';
  return errors;
}

const errorText = (failure: unknown) =>
  describeError(failure, 'Your report could not be sent. Please try again.');

type IssueDialogProps = { isSignedIn: boolean; onClose: () => void };

/** Reports a problem to the moderators without naming a member. */
export function IssueDialog({ isSignedIn, onClose }: IssueDialogProps) {
  const form = useForm<Fields>({ kind: '', description: '', email: '' }, { check, inline: true, errorText });
  const [isSent, setSent] = useState(false);
  const formId = useId();

  async function send({ kind, description, email }: Fields) {
    const body = {
      kind: kind as IssueKind,
      description: description.trim(),
      ...(!isSignedIn && email.trim() && { email: email.trim() }),
    };
    await unwrap(api.POST('/api/community/issues', { body }));
    setSent(true);
  }

  if (isSent) return <Thanks canAnswer={isSignedIn || form.values.email.trim() !== ''} onClose={onClose} />;
  return (
    <Sheet
      actions={
        <>
          <FailureText className="basis-full">{form.error}</FailureText>
          <Button onClick={onClose} variant="secondary">
            Cancel
          </Button>
          <Button busy={form.isBusy} form={formId} type="submit">
            Send
          </Button>
        </>
      }
      description="A moderator reads it. In danger now? Call 911 or your local emergency number first."
      onClose={onClose}
      open
      title="Report an Issue"
    >
      <form className="flex flex-col gap-4" id={formId} noValidate onSubmit={form.submit(send)}>
        <IssueFields asksForEmail={!isSignedIn} form={form} />
      </form>
    </Sheet>
  );
}

function IssueFields({ form, asksForEmail }: { form: Form<Fields>; asksForEmail: boolean }) {
  return (
    <>
      <Select label="What is it about?" {...form.field('kind')}>
        <option value="">Choose a topic</option>
        {kinds.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <TextArea
        count={form.values.description.length}
        hint="What happened, where and when."
        label="What is the issue?"
        maxLength={MAX_REPORT_ISSUE_DESCRIPTION}
        rows={5}
        {...form.field('description')}
      />
      {asksForEmail && (
        <TextField
          autoComplete="email"
          hint="Only if you want an answer. We use it for nothing else."
          inputMode="email"
          label="Your email address (optional)"
          type="email"
          {...form.field('email')}
        />
      )}
    </>
  );
}

function Thanks({ canAnswer, onClose }: { canAnswer: boolean; onClose: () => void }) {
  return (
    <Sheet
      actions={<Button onClick={onClose}>Done</Button>}
      onClose={onClose}
      open
      title="Thank you for telling us"
    >
      <div className="flex items-start gap-4" role="status">
        <span className="grid size-12 shrink-0 place-items-center rounded-full bg-sage-soft text-sage">
          <HandHeart aria-hidden="true" className="size-6" />
        </span>
        <p>
          Your report is with the moderators.{' '}
          {canAnswer
            ? "If we have a question, we'll write to you."
            : 'You left no address, so we cannot answer.'}
        </p>
      </div>
    </Sheet>
  );
}
