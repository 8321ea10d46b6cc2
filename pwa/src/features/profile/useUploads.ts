import { useEffect } from 'react';
import { part } from '@/base/pageSession.ts';
import { blockReload } from '@/offline/device/serviceWorker.ts';
import { enqueue } from '@/offline/outbox/outbox.ts';
import {
  dropProfileFile,
  readProfileBytes,
  type UploadState,
  uploadStateOf,
} from '@/offline/outbox/profileFile.ts';
import { progressesOf } from '@/offline/outbox/progress.ts';
import { retry } from '@/offline/outbox/rejectedRows.ts';
import { useDb, useLive } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { OutboxRow, ProfileFile } from '@/offline/store/rows.ts';
import { refreshMe } from '@/session/session.ts';
import { showFailure } from '@/ui';
import type { CroppedPicture } from './crop.ts';
import { type PictureTarget, pictureTargets } from './profileUpload.ts';

export type Upload = UploadState & {
  id: string;
  preview: string;
  /** The error's text, or '' while the upload runs. A failed upload can be retried. */
  failure: string;
};

export type Uploads = {
  uploads: Upload[];
  add: (picture: CroppedPicture) => void;
  retry: (upload: Upload) => void;
  /** Cancels an upload, or removes a failed one. */
  drop: (upload: Upload) => void;
};

/** The rows of the profile's files, which wait, are sent or were rejected, in the order in which they are sent. */
export async function readFileRows(db: HeartwardDb): Promise<(OutboxRow & { body: ProfileFile })[]> {
  const rows = await db.outbox.orderBy('localSeq').toArray();
  return rows.flatMap((row) => (row.body.kind === 'profileFile' ? [{ ...row, body: row.body }] : []));
}

/** The addresses of the previews by the ids of the bytes. */
const previewsOf = part((session) => {
  const previews = new Map<string, string>();
  const revoke = (blobId: string) => {
    URL.revokeObjectURL(previews.get(blobId) ?? '');
    previews.delete(blobId);
  };
  session.onStop(() => [...previews.keys()].forEach(revoke));
  return { previews, revoke };
});

/** Returns the address of a preview; '' if the file is no longer stored. */
async function previewOf(db: HeartwardDb, blobId: string): Promise<string> {
  const { previews } = previewsOf(db);
  const bytes = previews.has(blobId) ? undefined : await readProfileBytes(db, blobId);
  // Another call may have made it meanwhile.
  const preview = previews.get(blobId) ?? (bytes ? URL.createObjectURL(bytes) : '');
  if (preview) previews.set(blobId, preview);
  return preview;
}

/** Returns the unsent pictures of a part of the profile with their previews, and revokes those of pictures that are gone. */
async function readPictures(db: HeartwardDb, path: string) {
  const rows = await readFileRows(db);
  const { previews, revoke } = previewsOf(db);
  const blobIds = new Set(rows.map(({ body }) => body.blobId));
  for (const blobId of previews.keys()) if (!blobIds.has(blobId)) revoke(blobId);
  return Promise.all(
    rows
      .filter(({ body }) => body.path === path)
      .map(async (row) => ({ row, preview: await previewOf(db, row.body.blobId) })),
  );
}

/** Deletes a picture from the device, and its upload. */
async function drop(db: HeartwardDb, id: string): Promise<void> {
  await dropProfileFile(db, id);
  // It may have been added before the server's response was lost.
  await refreshMe();
}

/** The pictures that are being added to a part of the profile, each with a preview and its progress. */
export function useUploads(target: PictureTarget): Uploads {
  const db = useDb();
  const { path } = pictureTargets[target];
  const pictures = useLive((current) => readPictures(current, path), [path]) ?? [];
  const { useValue: useProgress } = progressesOf(db);
  // Renders again when one of the uploads has progressed.
  useProgress(() => JSON.stringify(pictures.map(({ row }) => uploadStateOf(db, row))));
  const isRunning = pictures.some(({ row }) => row.state !== 'failed');
  useEffect(() => (isRunning ? blockReload() : undefined), [isRunning]);

  return {
    uploads: pictures.map(({ row, preview }) => ({
      ...uploadStateOf(db, row),
      id: row.clientId,
      preview,
      failure: row.state === 'failed' ? (row.reason ?? '') : '',
    })),
    add: (picture) =>
      void enqueue(db, {
        ...pictureTargets[target],
        ...picture,
        kind: 'profileFile',
        id: crypto.randomUUID(),
      }).catch(showFailure),
    retry: ({ id }) => void retry(db, id).catch(showFailure),
    drop: ({ id }) => void drop(db, id).catch(showFailure),
  };
}
