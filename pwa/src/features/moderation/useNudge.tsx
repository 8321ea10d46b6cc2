import { type ReactNode, useCallback, useState } from 'react';
import { Button, Dialog } from '@/ui';
import { type Nudge, nudgeFor } from './guard.ts';

type Asked = { nudge: Nudge; text: string; answer: (send: boolean) => void };
type BeforeSend = (about: { userId: string; text: string }) => Promise<boolean>;

/** Asks once before what may hurt is sent; the writer decides. Resolves with whether to send. */
export function useNudge(): { beforeSend: BeforeSend; question: ReactNode } {
  const [asked, setAsked] = useState<Asked | null>(null);

  const beforeSend = useCallback<BeforeSend>(async ({ userId, text }) => {
    const nudge = await nudgeFor(userId, text);
    if (!nudge) return true;
    return new Promise<boolean>((resolve) => {
      setAsked({
        nudge,
        text,
        answer: (send) => {
          setAsked(null);
          resolve(send);
        },
      });
    });
  }, []);

  return { beforeSend, question: asked && <Question {...asked} /> };
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
