import { HandHeart } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { describeError } from '@/api/errors.ts';
import { MAX_REPORT_ISSUE_DESCRIPTION } from '@/api/limits.gen.ts';
import { ApiError } from '@/api/request.ts';
import type { IssueKind } from '@/api/types.ts';
import { Button, Select, Sheet, TextArea, TextField } from '@/ui';
import { reportIssue } from './requests.ts';

const MIN_LENGTH = 10;

const kinds: { value: IssueKind; label: string }[] = [
  { value: 'safety', label: 'My safety, or that of others' },
  { value: 'community', label: 'The community board' },
  { value: 'account', label: 'My account' },
  { value: 'technical', label: 'Something does not work' },
  { value: 'other', label: 'Something else' },
];

type Errors = Partial<Record<'kind' | 'description' | 'email' | 'form', string>>;
type Fields = { kind: IssueKind | ''; description: string; email: string };

function findErrors({ kind, description, email }: Fields): Errors {
  const errors: Errors = {};
  if (!kind) errors.kind = 'Please choose what it is about.';
  if (description.trim().length < MIN_LENGTH)
    errors.description = 'Please tell us a little more, in at least 10 characters.';
  if (email.trim() && !/^[^@\s]+@[^@\s]+$/.test(email.trim()))
    errors.email = 'Please enter a valid email address';
  return errors;
}

type IssueDialogProps = { isSignedIn: boolean; onClose: () => void };

/** Reports a problem to the moderators without naming a member. */
export function IssueDialog({ isSignedIn, onClose }: IssueDialogProps) {
  const [fields, setFields] = useState<Fields>({ kind: '', description: '', email: '' });
  const [errors, setErrors] = useState<Errors>({});
  const [busy, setBusy] = useState(false);
  const [isSent, setSent] = useState(false);
  const formId = useId();

  function change(part: Partial<Fields>) {
    setFields({ ...fields, ...part });
    setErrors(Object.fromEntries(Object.entries(errors).filter(([name]) => !(name in part))));
  }

  async function send(event: FormEvent) {
    event.preventDefault();
    const found = findErrors(fields);
    setErrors(found);
    const { kind, description, email } = fields;
    if (Object.keys(found).length > 0 || !kind) return;
    setBusy(true);
    try {
      await reportIssue({
        kind,
        description: description.trim(),
        ...(!isSignedIn && email.trim() && { email: email.trim() }),
      });
      setSent(true);
    } catch (error) {
      const sent = error instanceof ApiError ? error.fieldErrors : {};
      setErrors({ ...sent, form: describeError(error, 'Your report could not be sent. Please try again.') });
    }
    setBusy(false);
  }

  if (isSent) return <Thanks canAnswer={isSignedIn || fields.email.trim() !== ''} onClose={onClose} />;
  return (
    <Sheet
      actions={
        <>
          {errors.form && (
            <p className="basis-full text-danger text-sm" role="alert">
              {errors.form}
            </p>
          )}
          <Button onClick={onClose} variant="secondary">
            Cancel
          </Button>
          <Button busy={busy} form={formId} type="submit">
            Send
          </Button>
        </>
      }
      description="A moderator reads it. In danger now? Call 911 or your local emergency number first."
      onClose={onClose}
      open
      title="Report an Issue"
    >
      <form className="flex flex-col gap-4" id={formId} noValidate onSubmit={send}>
        <Select
          error={errors.kind}
          label="What is it about?"
          onChange={({ target }) => change({ kind: target.value as Fields['kind'] })}
          value={fields.kind}
        >
          <option value="">Choose a topic</option>
          {kinds.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
        <TextArea
          count={fields.description.length}
          error={errors.description}
          hint="What happened, where and when."
          label="What is the issue?"
          maxLength={MAX_REPORT_ISSUE_DESCRIPTION}
          onChange={({ target }) => change({ description: target.value })}
          rows={5}
          value={fields.description}
        />
        {!isSignedIn && (
          <TextField
            autoComplete="email"
            error={errors.email}
            hint="Only if you want an answer. We use it for nothing else."
            inputMode="email"
            label="Your email address (optional)"
            onChange={({ target }) => change({ email: target.value })}
            type="email"
            value={fields.email}
          />
        )}
      </form>
    </Sheet>
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
          <HandHeart aria-hidden="true" className="size-6" strokeWidth={1.75} />
        </span>
        <p>
          Your report is with the moderators.{' '}
          {canAnswer
            ? 'If we have a question, we write to you.'
            : 'You left no address, so we cannot answer.'}
        </p>
      </div>
    </Sheet>
  );
}
