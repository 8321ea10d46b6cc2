import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { TextFilter } from '@/domain/textFilter.ts';
import { Button, Dialog } from '@/ui';
import { DraftChecker, type Nudge } from './draftCheck.ts';

type OpenQuestion = { nudge: Nudge; text: string; decide: (send: boolean) => void };

/** Returns the filter that asks the writer before a text with a nudge is sent, and the open question. */
export function useNudge(): { filter: TextFilter; question: ReactNode } {
  const [openQuestion, setOpenQuestion] = useState<OpenQuestion | null>(null);
  const [checker] = useState(() => new DraftChecker());
  useEffect(() => () => checker.stop(), [checker]);

  const filter = useMemo<TextFilter>(
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
