import { LifeBuoy, Lock } from 'lucide-react';
import { useState } from 'react';
import { MAX_GIVE_DATE_FEEDBACK_NOTE } from '@/api/limits.gen.ts';
import type { PlannedDate } from '@/api/types.ts';
import { openMemberMenu } from '@/member-menu/openMenu.ts';
import { useDb } from '@/offline/store/cached.ts';
import { Button, TextArea, useAction } from '@/ui';
import { describeFailure, type Feedback, isFeedbackDue, saveFeedback } from './dates.ts';

const answers: { met: Feedback['met']; label: string; summary: string }[] = [
  { met: 'yes', label: 'Yes', summary: 'You met.' },
  { met: 'not_yet', label: 'Not yet', summary: 'You have not met yet.' },
  { met: 'no', label: 'No', summary: 'You did not meet.' },
];

/** The private question "Did you meet?", which is asked again three days after the answer "Not yet". */
export function FeedbackCard({ date }: { date: PlannedDate }) {
  const [editing, setEditing] = useState(() => isFeedbackDue(date));
  return (
    <div className="mt-4 rounded-control bg-plum-soft p-3 text-plum" data-testid="met-card">
      {editing ? (
        <Questions date={date} onDone={() => setEditing(false)} />
      ) : (
        <FeedbackSummary date={date} onChange={() => setEditing(true)} />
      )}
      <p className="mt-3 flex items-center gap-1.5 text-xs">
        <Lock aria-hidden="true" className="size-3.5 shrink-0" />
        Only you ever see this.
      </p>
    </div>
  );
}

function Questions({ date, onDone }: { date: PlannedDate; onDone: () => void }) {
  const db = useDb();
  const [met, setMet] = useState<Feedback['met'] | null>(null);

  async function saveAndClose(feedback: Feedback) {
    await saveFeedback(db, date, feedback);
    onDone();
  }
  const [save, { isBusy, error }] = useAction(saveAndClose, { inline: true, errorText: describeFailure });
  return (
    <>
      {met === 'yes' ? (
        <SafetyQuestion
          isBusy={isBusy}
          note={date.feedback?.note ?? ''}
          onAnswer={(answer) => save({ met, ...answer })}
        />
      ) : (
        <>
          <h4 className="font-semibold">Did you and {date.user.firstName} meet?</h4>
          <div className="mt-2 flex flex-wrap gap-2">
            {answers.map((answer) => (
              <Button
                busy={isBusy && met === answer.met}
                key={answer.met}
                onClick={() => {
                  setMet(answer.met);
                  if (answer.met !== 'yes') void save({ met: answer.met });
                }}
                size="sm"
                variant="secondary"
              >
                {answer.label}
              </Button>
            ))}
          </div>
        </>
      )}
      {error && (
        <p className="mt-2 text-danger text-sm" role="alert">
          {error}
        </p>
      )}
    </>
  );
}

type SafetyQuestionProps = {
  /** What the member has written before. */
  note: string;
  isBusy: boolean;
  onAnswer: (answer: Pick<Feedback, 'feltSafe' | 'note'>) => void;
};

/** Asks after a meeting whether the member felt safe. */
function SafetyQuestion({ note: before, isBusy, onAnswer }: SafetyQuestionProps) {
  const [note, setNote] = useState(before);
  return (
    <>
      <h4 className="font-semibold">Did you feel safe?</h4>
      <div className="my-2">
        <TextArea
          count={note.length}
          label="A note for yourself (optional)"
          maxLength={MAX_GIVE_DATE_FEEDBACK_NOTE}
          onChange={({ target }) => setNote(target.value)}
          value={note}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button busy={isBusy} onClick={() => onAnswer({ feltSafe: true, note })} size="sm">
          Yes, I felt safe
        </Button>
        <Button
          busy={isBusy}
          onClick={() => onAnswer({ feltSafe: false, note })}
          size="sm"
          variant="secondary"
        >
          No
        </Button>
        <Button disabled={isBusy} onClick={() => onAnswer({ note })} size="sm" variant="ghost">
          Rather not say
        </Button>
      </div>
    </>
  );
}

function FeedbackSummary({ date, onChange }: { date: PlannedDate; onChange: () => void }) {
  const { feedback, user } = date;
  const summary = answers.find(({ met }) => met === feedback?.met)?.summary;
  return (
    <>
      <p className="text-sm" role="status">
        {summary} {feedback?.feltSafe === true && 'You felt safe.'}
        {feedback?.feltSafe === false && 'You did not feel safe.'}
      </p>
      {feedback?.note && (
        <p className="mt-1 whitespace-pre-wrap text-sm italic [overflow-wrap:anywhere]" dir="auto">
          {feedback.note}
        </p>
      )}
      {feedback?.feltSafe === false && (
        <EmergencyHelp onOptions={() => openMemberMenu(user, 'conversation')} name={user.firstName} />
      )}
      <Button className="-ms-3 text-plum" onClick={onChange} size="sm" variant="ghost">
        Change my answer
      </Button>
    </>
  );
}

function EmergencyHelp({ name, onOptions }: { name: string; onOptions: () => void }) {
  return (
    <div className="mt-2 border-line border-t pt-2 text-sm">
      <p className="flex items-start gap-2">
        <LifeBuoy aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
        <span>
          We are sorry. If you are in danger, call your local emergency number now (911 in the US). To talk to
          someone at any hour, the National Sexual Assault Hotline is 800-656-4673.
        </span>
      </p>
      <Button className="mt-2" onClick={onOptions} size="sm" variant="secondary">
        Report or block {name}
      </Button>
    </div>
  );
}
