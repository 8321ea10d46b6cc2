import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { Button, Dialog } from '@/ui';
import { DraftChecker, type DraftText, type Nudge } from './draftCheck.ts';

type OpenQuestion = { nudge: Nudge; text: string; decide: (send: boolean) => void };
type Filter = { onInput: (draft: DraftText) => void; confirmSend: (draft: DraftText) => Promise<boolean> };

/** Asks the writer before sending a text that has a nudge. `confirmSend` resolves with whether to send it. */
export function useNudge(): { filter: Filter; question: ReactNode } {
  const [openQuestion, setOpenQuestion] = useState<OpenQuestion | null>(null);
  const [checker] = useState(() => new DraftChecker());
  useEffect(() => () => checker.stop(), [checker]);

  const filter = useMemo<Filter>(
    () => ({
      onInput: (draft) => checker.onInput(draft),
      confirmSend: async (draft) => {
        const nudge = await checker.nudgeFor(draft);
        if (!nudge) return true;
        return new Promise<boolean>((resolve) => {
          const decide = (send: boolean) => {
            setOpenQuestion(null);
            resolve(send);
          };
          setOpenQuestion({ nudge, text: draft.text, decide });
        });
      },
    }),
    [checker],
  );

  return { filter, question: openQuestion && <Question {...openQuestion} /> };
}

/** Sets the attribute by which the dialog chooses its focus; React's `autoFocus` focuses before the dialog opens. */
const setAutofocus = (button: HTMLButtonElement | null) => button?.setAttribute('autofocus', '');

function Question({ nudge, text, decide }: OpenQuestion) {
  return (
    <Dialog
      actions={
        <>
          <Button onClick={() => decide(true)} variant="secondary">
            Send anyway
          </Button>
          <Button onClick={() => decide(false)} ref={setAutofocus}>
            Edit
          </Button>
        </>
      }
      description={nudge.text}
      onClose={() => decide(false)}
      open
      title={nudge.title}
    >
      <blockquote
        className="whitespace-pre-wrap rounded-card bg-raised px-4 py-3 [overflow-wrap:anywhere]"
        dir="auto"
      >
        {text}
      </blockquote>
    </Dialog>
  );
}
