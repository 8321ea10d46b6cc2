import { useEffect } from 'react';
import { blockReload } from '@/offline/device/serviceWorker.ts';
import { useDb, useLive } from '@/offline/store/cached.ts';
import { showFailure } from '@/ui';
import type { CroppedPicture } from './crop.ts';
import { type PictureTarget, pictureTargets } from './profileUpload.ts';
import { addPicture, dropPicture, previewOf, retryPicture, useRunningUploads } from './storedUploads.ts';

export type Upload = {
  id: string;
  preview: string;
  share: number;
  /** There is no connection; the upload continues by itself. */
  isWaiting: boolean;
  /** The error's text, or '' while the upload runs. A failed upload can be retried. */
  failure: string;
};

type Uploads = {
  uploads: Upload[];
  add: (picture: CroppedPicture) => void;
  retry: (upload: Upload) => void;
  /** Cancels an upload, or removes a failed one. */
  drop: (upload: Upload) => void;
};

/** The pictures that are being added to a part of the profile, each with a preview and its progress. */
export function useUploads(target: PictureTarget): Uploads {
  const db = useDb();
  const { path } = pictureTargets[target];
  const rows =
    useLive(
      async (db) => {
        const stored = await db.profileUploads.filter((row) => row.path === path).toArray();
        stored.sort((a, b) => a.createdAt - b.createdAt);
        return Promise.all(stored.map(async (row) => ({ ...row, preview: await previewOf(db, row.id) })));
      },
      [path],
    ) ?? [];
  const running = useRunningUploads();
  const isRunning = rows.some(({ id }) => running.has(id));
  useEffect(() => (isRunning ? blockReload() : undefined), [isRunning]);

  return {
    uploads: rows.map((row) => ({
      id: row.id,
      preview: row.preview,
      share: running.get(row.id)?.share ?? 0,
      isWaiting: running.get(row.id)?.isWaiting ?? false,
      failure: row.failure ?? '',
    })),
    add: (picture) => void addPicture(db, target, picture).catch(showFailure),
    retry: ({ id }) => void retryPicture(db, id),
    drop: ({ id }) => void dropPicture(db, id),
  };
}
