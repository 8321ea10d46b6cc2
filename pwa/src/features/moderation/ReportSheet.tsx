import { HandHeart, LifeBuoy } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { describeError } from '@/api/errors.ts';
import { MAX_REPORT_DESCRIPTION } from '@/api/limits.gen.ts';
import { paths } from '@/session/paths.ts';
import { Button, FailureText, Sheet, TextArea, useAction } from '@/ui';
import { type Reason, reasonGroups } from './reasons.ts';

type ReportProps = {
  /** What is reported: a name, or "this story". */
  subject: string;
  /** What happens at once, and what is copied as evidence. */
  description: string;
  /** What the member is told afterwards, below the receipt. */
  afterwards: ReactNode;
  send: (reason: Reason['value'], description: string) => Promise<void>;
  onClose: () => void;
  /** Called after the report was stored, when the member is done. */
  onDone: () => void;
};

/** The texts of a report about a member, who is blocked by it. */
export const memberReportTexts = (name: string) => ({
  description: `We'll hide ${name} from you right away and won't say who reported them. We keep a copy of the profile with its photos and recordings, and of your last messages, as evidence.`,
  afterwards: `You've blocked ${name}. You won't see each other, and any match or conversation between you has ended.`,
});

/** The form of a report: a reason and a description; afterwards a confirmation. */
export function ReportSheet({ subject, description, afterwards, send, onClose, onDone }: ReportProps) {
  const [reason, setReason] = useState<Reason>();
  const [details, setDetails] = useState('');
  const [stored, setStored] = useState(false);

  async function sendReport({ value }: Reason) {
    await send(value, details.trim());
    setStored(true);
  }
  const [run, { isBusy, error, setError }] = useAction(sendReport, {
    inline: true,
    errorText: (failure) => describeError(failure, 'Your report could not be sent. Please try again.'),
  });
  const submit = () => (reason ? void run(reason) : setError('Please choose what is wrong.'));

  if (stored) return <Confirmation afterwards={afterwards} onClose={onDone} reason={reason} />;
  return (
    <Sheet
      actions={
        <>
          <FailureText className="basis-full">{error}</FailureText>
          <Button onClick={onClose} variant="secondary">
            Cancel
          </Button>
          <Button busy={isBusy} onClick={submit} variant={reason ? 'danger' : 'secondary'}>
            Send report
          </Button>
        </>
      }
      description={description}
      onClose={onClose}
      open
      title={`Report ${subject}`}
    >
      <Reasons selected={reason} onChoose={setReason} />
      <div className="mt-5">
        <TextArea
          count={details.length}
          hint="What happened, where and when."
          label="Tell us more (optional)"
          maxLength={MAX_REPORT_DESCRIPTION}
          onChange={(event) => setDetails(event.target.value)}
          value={details}
        />
      </div>
      <Link
        className="mt-3 inline-flex min-h-11 items-center font-semibold text-ember-strong underline"
        onClick={onClose}
        to={paths.safety}
      >
        Safety center: advice, and what happens after a report
      </Link>
    </Sheet>
  );
}

function Reasons({ selected, onChoose }: { selected?: Reason; onChoose: (reason: Reason) => void }) {
  return (
    <fieldset>
      <legend className="sr-only">What is wrong?</legend>
      <div className="flex flex-col gap-5">
        {reasonGroups.map((group) => (
          <section aria-label={group.title} key={group.title}>
            <h3 className="mb-1 font-semibold">{group.title}</h3>
            <div className="grid grid-flow-dense grid-cols-[repeat(auto-fit,minmax(min(100%,18rem),1fr))] gap-x-4">
              {group.reasons.map((reason) => (
                <ReasonOption
                  key={reason.value}
                  onChoose={() => onChoose(reason)}
                  reason={reason}
                  selected={reason === selected}
                />
              ))}
            </div>
          </section>
        ))}
      </div>
    </fieldset>
  );
}

type ReasonOptionProps = { reason: Reason; selected: boolean; onChoose: () => void };

function ReasonOption({ reason, selected, onChoose }: ReasonOptionProps) {
  return (
    <>
      <label className="flex min-h-11 items-center gap-3 rounded-control px-2 py-2 transition-colors has-checked:bg-ember-soft hover:bg-raised">
        <input
          checked={selected}
          className="size-5 shrink-0 appearance-none rounded-full border-2 border-control bg-surface checked:border-[6px] checked:border-ember forced-colors:appearance-auto"
          name="reason"
          onChange={onChoose}
          type="radio"
        />
        <span>{reason.label}</span>
      </label>
      {selected && reason.help && <EmergencyHelp text={reason.help} />}
    </>
  );
}

/** Emergency contacts, shown before and after sending: the member should not wait for the moderators. */
function EmergencyHelp({ text }: { text: string }) {
  return (
    <p
      className="my-2 flex items-start gap-3 rounded-card bg-plum-soft p-4 text-plum col-span-full"
      role="status"
    >
      <LifeBuoy aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      {text}
    </p>
  );
}

type ConfirmationProps = { afterwards: ReactNode; reason?: Reason; onClose: () => void };

function Confirmation({ afterwards, reason, onClose }: ConfirmationProps) {
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
        <div className="flex flex-col gap-2">
          <p>Your report is stored with the evidence. We'll email you when a moderator has decided.</p>
          <p className="text-muted">{afterwards}</p>
        </div>
      </div>
      {reason?.help && <EmergencyHelp text={reason.help} />}
    </Sheet>
  );
}
