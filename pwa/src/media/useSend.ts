import { useRef, useState } from 'react';
import type { OnProgress } from '@/offline/outbox/profileFile.ts';

export type Send = (onProgress: OnProgress, signal: AbortSignal) => Promise<void>;

/** Sends a file, with its progress while it is sent, and the message of the error when it failed. */
export function useSend() {
  const [progress, setProgress] = useState<{ share: number; isWaiting: boolean } | null>(null);
  const [failure, setFailure] = useState('');
  const running = useRef<AbortController>(null);

  async function send(work: Send): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setFailure('');
    setProgress({ share: 0, isWaiting: false });
    try {
      await work((share, isWaiting = false) => setProgress({ share, isWaiting }), controller.signal);
    } catch (error) {
      if (!controller.signal.aborted)
        setFailure(error instanceof Error ? error.message : 'Please try again.');
    }
    setProgress(null);
  }

  return { progress, failure, send, cancel: () => running.current?.abort() };
}
