import { ShieldAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api, unwrap } from '@/api/client.ts';
import { useDb } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { MessageRow } from '@/offline/store/rows.ts';
import { applyChange } from '@/offline/sync/apply.ts';
import { Button, useAction } from '@/ui';

type Answer = 'fine' | 'bothers';

/** Sends the recipient's answer to the server, and so to the member's other devices. It ends the question. */
async function answerFlag(db: HeartwardDb, row: MessageRow, answer: Answer): Promise<void> {
  const path = { id: row.conversationId, seq: row.seq ?? 0 };
  const message = await unwrap(
    api.PUT('/api/conversations/{id}/messages/{seq}/flag', { params: { path }, body: { answer } }),
  );
  await applyChange(db, message);
}

type FlaggedProps = {
  row: MessageRow;
  children: ReactNode;
  /** Called when the message bothers the recipient; opens the options to report or block the sender. */
  onBothered: () => void;
};

/** A message with one of these flags is covered until its recipient answers; with any other it shows a warning. */
const COVERED_FLAGS = ['harassment', 'sexual_pressure'];

const warnings: Record<string, string> = {
  money: 'Never send money, gift cards or bank details to someone you have not met.',
  off_platform: 'You are safer here until you know each other. There is no hurry to share your number.',
  spam: 'This may be advertising. Be careful with links.',
};

/** A received message that the filter has flagged, with a question to its recipient. */
export function Flagged({ row, children, onBothered }: FlaggedProps) {
  const db = useDb();
  const [shown, setShown] = useState(false);
  const covered = COVERED_FLAGS.includes(row.flag ?? '') && !shown;

  const [send, { isBusy }] = useAction((answer: Answer) => answerFlag(db, row, answer), {
    errorTitle: 'Your answer could not be sent',
    errorText: () => 'Please try again when you are online.',
  });

  async function submit(answer: Answer) {
    const isSent = await send(answer);
    if (answer === 'bothers') onBothered();
    // The member has chosen to see the message, also without a connection.
    else if (!isSent) setShown(true);
  }

  return (
    <div className="flex flex-col gap-2 whitespace-normal">
      {covered ? (
        // The text is not in the document, because a screen reader would read blurred text.
        <div className="flex flex-col gap-1.5 py-1" data-testid="bubble-covered">
          <span aria-hidden="true" className="h-3 w-44 max-w-full rounded-full bg-line" />
          <span aria-hidden="true" className="h-3 w-28 max-w-full rounded-full bg-line" />
          <span className="text-muted text-sm">This message may be hurtful, so it is covered.</span>
        </div>
      ) : (
        <div className="whitespace-pre-wrap" dir="auto">
          {children}
        </div>
      )}
      <fieldset className="flex flex-col gap-2 rounded-control bg-raised p-3 text-ink text-sm">
        <legend className="sr-only">Does this bother you?</legend>
        <div className="flex items-start gap-2">
          <ShieldAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <div>
            {row.flag && warnings[row.flag] && <p>{warnings[row.flag]}</p>}
            <p aria-hidden="true" className="font-semibold">
              Does this bother you?
            </p>
          </div>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button disabled={isBusy} onClick={() => void submit('bothers')} size="sm" variant="secondary">
            Yes
          </Button>
          <Button disabled={isBusy} onClick={() => void submit('fine')} size="sm" variant="secondary">
            {covered ? 'No, show it' : 'No'}
          </Button>
        </div>
      </fieldset>
    </div>
  );
}
