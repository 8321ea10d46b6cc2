/**
 * Uploads of the profile. Their files are stored on the device, so that an upload continues after the screen was left or
 * the tab was reloaded.
 */
import { describeError } from '@/api/errors.ts';
import { ApiError } from '@/api/request.ts';
import type { Recording } from '@/api/types.ts';
import { createStore } from '@/base/store.ts';
import {
  deleteProfileFile,
  isRejection,
  type OnProgress,
  readProfileFile,
  sendStoredFile,
  storeProfileFile,
} from '@/offline/outbox/profileFile.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { ProfileUploadRow } from '@/offline/store/rows.ts';
import { refreshMe } from '@/session/session.ts';
import { toast, toastError } from '@/ui';
import type { CroppedPicture } from './crop.ts';
import { type PictureTarget, pictureTargets, preparePicture } from './profileUpload.ts';
import { addVoice } from './storedDraft.ts';

/** An upload that runs in this tab: the sent share, and whether it waits for a connection. */
export type RunningUpload = Pick<ProfileUploadRow, 'path' | 'question'> & {
  share: number;
  isWaiting: boolean;
  cancel: () => void;
};

const running = createStore<ReadonlyMap<string, RunningUpload>>(new Map());

function setRunning(id: string, upload: RunningUpload | null): void {
  const next = new Map(running.get());
  if (upload) next.set(id, upload);
  else next.delete(id);
  running.set(next);
}

/** Returns the running uploads by the ids of their rows: all pictures, and the resumed recordings. */
export const useRunningUploads = running.useValue;

/** Runs `send` as an upload that useRunningUploads lists. Does nothing if it is listed already. */
async function run(
  row: ProfileUploadRow,
  send: (onProgress: OnProgress, signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const { id, path, question } = row;
  if (running.get().has(id)) return;
  const controller = new AbortController();
  const report: OnProgress = (share, isWaiting = false) =>
    setRunning(id, { path, question, share, isWaiting, cancel: () => controller.abort() });
  report(0);
  try {
    await send(report, controller.signal);
  } finally {
    setRunning(id, null);
  }
}

/** The addresses of the previews by the ids of their rows. */
const previews = new Map<string, string>();

/** Returns the address of a preview; '' if the file is no longer stored. */
export async function previewOf(db: HeartwardDb, id: string): Promise<string> {
  const stored = previews.has(id) ? undefined : await readProfileFile(db, id);
  // Another call may have made it meanwhile.
  const preview = previews.get(id) ?? (stored ? URL.createObjectURL(stored.bytes) : '');
  if (preview) previews.set(id, preview);
  return preview;
}

function revokePreview(id: string): void {
  URL.revokeObjectURL(previews.get(id) ?? '');
  previews.delete(id);
}

/** The end of the last upload to each path. Pictures are sent one after another, so that they keep their order. */
const lastUploads = new Map<string, Promise<void>>();

/** Sends a stored picture after those before it. A rejected one keeps the reason until the member tries again. */
export function sendPicture(db: HeartwardDb, row: ProfileUploadRow): Promise<void> {
  const { id, path } = row;
  return run(row, (onProgress, signal) => {
    const sent = (lastUploads.get(path) ?? Promise.resolve()).then(async () => {
      try {
        signal.throwIfAborted();
        await preparePicture(db, id);
        // It may be of the bytes before they were scaled, which are deleted.
        revokePreview(id);
        await sendStoredFile(db, id, { onProgress, signal, onAdded: refreshMe });
        revokePreview(id);
      } catch (error) {
        // A cancelled upload may have been added before the server's response was lost.
        if (signal.aborted) await refreshMe();
        else if (isRejection(error)) await db.profileUploads.update(id, { failure: describeError(error) });
      }
    });
    lastUploads.set(path, sent);
    return sent;
  });
}

/** Stores a picture and sends it. */
export async function addPicture(
  db: HeartwardDb,
  target: PictureTarget,
  picture: CroppedPicture,
): Promise<void> {
  const id = await storeProfileFile(db, { ...pictureTargets[target], ...picture });
  const row = await db.profileUploads.get(id);
  if (row) await sendPicture(db, row);
}

export async function retryPicture(db: HeartwardDb, id: string): Promise<void> {
  const { profileUploads } = db;
  await profileUploads.update(id, { failure: undefined });
  const row = await profileUploads.get(id);
  if (row) await sendPicture(db, row);
}

/** Cancels the upload of a picture, and deletes the picture from the device. */
export async function dropPicture(db: HeartwardDb, id: string): Promise<void> {
  running.get().get(id)?.cancel();
  await deleteProfileFile(db, id);
  revokePreview(id);
}

const isPicture = ({ path }: ProfileUploadRow) =>
  Object.values(pictureTargets).some((target) => target.path === path);

/** Sends the files that were left on the device when an earlier page was closed. */
export async function resumeUploads(db: HeartwardDb): Promise<void> {
  const rows = await db.profileUploads.toArray();
  rows.sort((a, b) => a.createdAt - b.createdAt);
  for (const row of rows) {
    // Later files are sent by the code that has stored them.
    if (row.createdAt > performance.timeOrigin || row.failure) continue;
    void (isPicture(row)
      ? sendPicture(db, row)
      : run(row, (...sending) => resumeRecording(db, row, ...sending)));
  }
}

/** Sends a recording or selfie whose screen is closed, and reports the result in a toast. */
async function resumeRecording(
  db: HeartwardDb,
  { id, path, question }: ProfileUploadRow,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<void> {
  try {
    await sendStoredFile<Recording>(db, id, {
      onProgress,
      signal,
      onAdded: async (recording) => {
        if (question) addVoice(db, question, recording);
        await refreshMe();
      },
    });
    toast({ title: path.endsWith('/selfie') ? 'Selfie sent' : 'Recording saved' });
  } catch (error) {
    if (!isRejection(error)) return;
    await deleteProfileFile(db, id);
    toastError(error instanceof ApiError ? error.detail : undefined);
  }
}
