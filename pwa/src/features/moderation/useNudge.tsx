import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { Button, Dialog } from '@/ui';
import { Judge, type Nudge, type Words } from './guard.ts';

type Asked = { nudge: Nudge; text: string; answer: (send: boolean) => void };
type Filter = { onInput: (words: Words) => void; confirmSend: (words: Words) => Promise<boolean> };

/** Asks once before what may hurt is sent; the writer decides. `mayGo` resolves with whether to send. */
export function useNudge(): { filter: Filter; question: ReactNode } {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [judge] = useState(() => new Judge());
  useEffect(() => () => judge.stop(), [judge]);

  const filter = useMemo<Filter>(
    () => ({
      onInput: (words) => judge.onInput(words),
      confirmSend: async (words) => {
        const nudge = await judge.nudgeFor(words);
        if (!nudge) return true;
        return new Promise<boolean>((resolve) => {
          const answer = (send: boolean) => {
            setAsked(null);
            resolve(send);
          };
          setAsked({ nudge, text: words.text, answer });
        });
      },
    }),
    [judge],
  );

  return { filter, question: asked && <Question {...asked} /> };
}

/** Where the dialog puts the focus; React has its own idea of `autoFocus`, too early for a dialog. */
const first = (button: HTMLButtonElement | null) => button?.setAttribute('autofocus', '');

function Question({ nudge, text, answer }: Asked) {
  return (
    <Dialog
      actions={
        <>
          <Button onClick={() => answer(true)} variant="secondary">
            Send anyway
          </Button>
          <Button onClick={() => answer(false)} ref={first}>
            Edit
          </Button>
        </>
      }
      description={nudge.text}
      onClose={() => answer(false)}
      open
      title={nudge.title}
    >
      <blockquote className="whitespace-pre-wrap rounded-card bg-raised px-4 py-3 [overflow-wrap:anywhere]">
        {text}
      </blockquote>
    </Dialog>
  );
}
