import { useRef, useState } from 'react';
import { describeError } from '@/api/errors.ts';
import type { OnProgress } from '@/offline/outbox/profileFile.ts';

export type Send = (onProgress: OnProgress, signal: AbortSignal) => Promise<void>;

/**
 * Sends a file, with its progress while it is sent, and the message of the error when it failed. `send` returns whether
 * the file was sent; while a file is being sent, it returns the result of that one.
 */
export function useSend() {
  const [progress, setProgress] = useState<{ share: number; isWaiting: boolean } | null>(null);
  const [failure, setFailure] = useState('');
  const running = useRef<{ controller: AbortController; result: Promise<boolean> }>(null);

  async function run(work: Send, { signal }: AbortController): Promise<boolean> {
    setFailure('');
    setProgress({ share: 0, isWaiting: false });
    try {
      await work((share, isWaiting = false) => setProgress({ share, isWaiting }), signal);
      return true;
    } catch (error) {
      if (!signal.aborted) setFailure(describeError(error));
      return false;
    } finally {
      running.current = null;
      setProgress(null);
    }
  }

  function send(work: Send): Promise<boolean> {
    if (running.current) return running.current.result;
    const controller = new AbortController();
    const result = run(work, controller);
    running.current = { controller, result };
    return result;
  }

  return { progress, failure, send, cancel: () => running.current?.controller.abort() };
}
