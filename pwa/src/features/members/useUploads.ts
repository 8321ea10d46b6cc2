import { useEffect, useRef, useState } from 'react';
import { describeError } from '@/api/client.ts';
import { blockReload } from '@/offline/device/serviceWorker.ts';
import { refreshMe } from '@/session/session.ts';
import type { SendPicture } from './upload.ts';

export type Upload = {
  id: number;
  file: Blob;
  preview: string;
  share: number;
  /** There is no connection; the upload continues by itself. */
  isWaiting: boolean;
  /** The error's text, or '' while the upload runs. A failed upload can be retried. */
  failure: string;
};

type Uploads = {
  uploads: Upload[];
  add: (file: Blob) => Promise<void>;
  retry: (upload: Upload) => Promise<void>;
  /** Cancels an upload, or removes a failed one. */
  drop: (upload: Upload) => void;
};

/** Uploads pictures one after another, each with a preview and its progress; failed ones can be retried. */
export function useUploads(send: SendPicture): Uploads {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const lastId = useRef(0);
  const queue = useRef<Promise<void>>(Promise.resolve());
  const running = useRef(new Map<number, AbortController>());
  const previews = useRef(new Set<string>());
  useEffect(() => {
    const shown = previews.current;
    // Revokes the previews of running and failed uploads.
    return () => shown.forEach(URL.revokeObjectURL);
  }, []);
  const isRunning = uploads.some(({ failure }) => failure === '');
  useEffect(() => (isRunning ? blockReload() : undefined), [isRunning]);

  const change = (id: number, part: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...part } : one)));

  function remove({ id, preview }: Upload) {
    setUploads((all) => all.filter((one) => one.id !== id));
    previews.current.delete(preview);
    URL.revokeObjectURL(preview);
  }

  async function run(upload: Upload, { signal }: AbortController) {
    const { id, file } = upload;
    try {
      signal.throwIfAborted();
      await send(file, (share, isWaiting = false) => change(id, { share, isWaiting }), signal);
      await refreshMe();
      remove(upload);
    } catch (error) {
      // A cancelled upload may have been added before the server's response was lost.
      if (signal.aborted) await refreshMe();
      else change(id, { failure: describeError(error) });
    }
    running.current.delete(id);
  }

  function enqueue(upload: Upload): Promise<void> {
    const controller = new AbortController();
    running.current.set(upload.id, controller);
    change(upload.id, { share: 0, isWaiting: false, failure: '' });
    queue.current = queue.current.then(() => run(upload, controller));
    return queue.current;
  }

  return {
    uploads,
    add(file) {
      lastId.current += 1;
      const preview = URL.createObjectURL(file);
      previews.current.add(preview);
      const upload: Upload = { id: lastId.current, file, preview, share: 0, isWaiting: false, failure: '' };
      setUploads((all) => [...all, upload]);
      return enqueue(upload);
    },
    retry: enqueue,
    drop(upload) {
      running.current.get(upload.id)?.abort();
      remove(upload);
    },
  };
}
