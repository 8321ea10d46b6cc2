import { useEffect, useRef, useState } from 'react';
import { describeError } from '@/api/client.ts';
import { blockReload } from '@/offline/device/serviceWorker.ts';
import { refreshMe } from '@/session/session.ts';
import type { OnProgress } from './upload.ts';

export type Upload = {
  id: number;
  file: Blob;
  preview: string;
  share: number;
  /** The error's text, or '' while the upload runs. A failed upload can be retried. */
  failure: string;
};

type Uploads = {
  uploads: Upload[];
  add: (file: Blob) => Promise<void>;
  retry: (upload: Upload) => Promise<void>;
  drop: (upload: Upload) => void;
};

/** Runs uploads of pictures, each with a preview and its progress; failed ones can be retried. */
export function useUploads(send: (file: Blob, onProgress: OnProgress) => Promise<void>): Uploads {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const lastId = useRef(0);
  const previews = useRef(new Set<string>());
  useEffect(() => {
    const shown = previews.current;
    // Revokes the previews of failed uploads that are left.
    return () => shown.forEach(URL.revokeObjectURL);
  }, []);
  const running = uploads.some(({ failure }) => failure === '');
  useEffect(() => (running ? blockReload() : undefined), [running]);

  const change = (id: number, part: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...part } : one)));

  function drop({ id, preview }: Upload) {
    setUploads((all) => all.filter((one) => one.id !== id));
    previews.current.delete(preview);
    URL.revokeObjectURL(preview);
  }

  async function run(upload: Upload) {
    change(upload.id, { share: 0, failure: '' });
    try {
      await send(upload.file, (share) => change(upload.id, { share }));
      await refreshMe();
      drop(upload);
    } catch (error) {
      change(upload.id, { failure: describeError(error) });
    }
  }

  return {
    uploads,
    add(file) {
      lastId.current += 1;
      const preview = URL.createObjectURL(file);
      previews.current.add(preview);
      const upload: Upload = { id: lastId.current, file, preview, share: 0, failure: '' };
      setUploads((all) => [...all, upload]);
      return run(upload);
    },
    retry: run,
    drop,
  };
}
