import { useEffect, useRef, useState } from 'react';
import { describeError } from '@/api/errors.ts';
import type { OnProgress } from '@/offline/outbox/profileFile.ts';
import { useAction } from '@/ui';

/** `signal` is aborted when the member cancels; `closed` when the screen is gone, whose file is sent without it. */
export type Send = (onProgress: OnProgress, signal: AbortSignal, closed: AbortSignal) => Promise<void>;

type Sending = { controller: AbortController; closing: AbortController; result: Promise<boolean> };

/**
 * Sends a file, with its progress while it is sent, and the message of the error when it failed. `send` returns whether
 * the file was sent; while a file is being sent, it returns the result of that one.
 */
export function useSend(errorText: (failure: unknown) => string = describeError) {
  const [progress, setProgress] = useState<{ share: number; isWaiting: boolean } | null>(null);
  const running = useRef<Sending>(null);
  useEffect(() => () => running.current?.closing.abort(), []);

  async function runWithProgress(work: Send, signal: AbortSignal, closed: AbortSignal): Promise<void> {
    setProgress({ share: 0, isWaiting: false });
    try {
      await work((share, isWaiting = false) => setProgress({ share, isWaiting }), signal, closed);
    } finally {
      setProgress(null);
    }
  }
  const [run, { error }] = useAction(runWithProgress, {
    inline: true,
    errorText: (failure) => {
      const { controller, closing } = running.current ?? {};
      return controller?.signal.aborted || closing?.signal.aborted ? '' : errorText(failure);
    },
  });

  function send(work: Send): Promise<boolean> {
    if (running.current) return running.current.result;
    const controller = new AbortController();
    const closing = new AbortController();
    const result = run(work, controller.signal, closing.signal).finally(() => {
      running.current = null;
    });
    running.current = { controller, closing, result };
    return result;
  }

  return { progress, failure: error, send, cancel: () => running.current?.controller.abort() };
}
