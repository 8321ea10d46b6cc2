/**
 * Photos and recordings of the own profile, for the screens that add them: each is a row of the outbox, whose bytes are in
 * `profileFiles`. Only for pages.
 */
import { liveQuery } from 'dexie';
import type { InSession } from '@/base/pageSession.ts';
import { ApiError } from '../../api/request.ts';
import { type HeartwardDb, rereadTables } from '../store/db.ts';
import type { OutboxRow } from '../store/rows.ts';
import { markAwaited } from './awaited.ts';
import { enqueue, type NewProfileFile } from './outbox.ts';
import { uploadUrlsOf } from './profileFileBody.ts';
import { progressesOf } from './progress.ts';
import { senderOf } from './sender.ts';
import { deleteUploads } from './tus.ts';

/** Called with the sent share of the file, from 0 to 1, and whether the upload waits for a connection. */
export type OnProgress = (share: number, isWaiting?: boolean) => void;

/** Returns the bytes of a stored file; undefined if it is no longer stored. */
export const readProfileBytes = (db: HeartwardDb, blobId: string): Promise<Blob | undefined> =>
  db.profileFiles.get(blobId).then((row) => row?.bytes);

/**
 * Deletes a file from the device, with its uploads; the tab that is sending it stops. Returns whether it was still there:
 * of several tabs, one deletes it.
 */
export async function dropProfileFile(db: HeartwardDb, id: string): Promise<boolean> {
  const file = await db.transaction('rw', db.outbox, db.profileFiles, async () => {
    const row = await db.outbox.get(id);
    if (row?.body.kind !== 'profileFile') return;
    await db.profileFiles.delete(row.body.blobId);
    await db.outbox.delete(id);
    return row.body;
  });
  if (!file) return false;
  senderOf(db).drop(id);
  void deleteUploads(db.memberId, uploadUrlsOf(file));
  return true;
}

/** Why a wait ends whose screen is gone: the file stays on its way. */
const SCREEN_CLOSED = new DOMException('The screen was closed', 'AbortError');

/**
 * Stores and sends a file, and returns the response to it, however long that takes; undefined if this tab has missed the
 * response, as in the back/forward cache. Throws ApiError if the server rejects the file, which is then deleted from the
 * device, and an AbortError if it is cancelled here or in another tab. It is one too when `closed` says that the screen is
 * gone: the file is then sent without it.
 */
export async function sendProfileFile<T>(
  db: HeartwardDb,
  file: Omit<NewProfileFile, 'kind' | 'id'>,
  onProgress: OnProgress,
  signal: AbortSignal,
  closed?: AbortSignal,
): Promise<T | undefined> {
  const id = crypto.randomUUID();
  const endAwaiting = markAwaited(db, id);
  const { result, stop } = waitForResult<T>(db, id, onProgress, { signal, closed });
  let isShown = true;
  try {
    await enqueue(db, { ...file, kind: 'profileFile', id });
    signal.throwIfAborted();
    return await result;
  } catch (error) {
    isShown = error !== SCREEN_CLOSED;
    if (isShown) await dropProfileFile(db, id);
    throw error;
  } finally {
    stop();
    endAwaiting(isShown);
    // The screens of the profile show a file that is still waiting.
    if (!isShown) rereadTables(db, ['outbox']);
  }
}

type Signals = { signal: AbortSignal; closed: AbortSignal | undefined };

/** Calls the listener when a signal is aborted, also if it is already. Returns a function that removes it. */
function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal?.aborted) listener();
  signal?.addEventListener('abort', listener);
  return () => signal?.removeEventListener('abort', listener);
}

/** Returns the result of a row that is about to be stored, and a function that ends the wait for it. */
function waitForResult<T>(db: HeartwardDb, id: string, onProgress: OnProgress, { signal, closed }: Signals) {
  const stops: (() => unknown)[] = [];
  const result = new Promise<T | undefined>((resolve, reject) => {
    const rejectWith = (status: number, reason: string) => reject(new ApiError(status, 'upload', reason));
    const cancel = () => reject(new DOMException('The file was left out', 'AbortError'));
    const stopRow = watchRow(db, id, onProgress, (row) =>
      row ? rejectWith(row.status ?? 0, row.reason ?? '') : resolve(undefined),
    );
    stops.push(
      stopRow,
      senderOf(db).onSettled((settled) => {
        if (settled.row.clientId !== id) return;
        stopRow();
        if (settled.ok) resolve(settled.response as T);
        else rejectWith(settled.status, settled.reason);
      }),
      senderOf(db).onDropped((dropped) => dropped === id && cancel()),
      onAbort(signal, cancel),
      onAbort(closed, () => reject(SCREEN_CLOSED)),
    );
  });
  // Handled by the caller, also if it is cancelled before the row is stored.
  result.catch(() => undefined);
  const stop = () => {
    for (const end of stops) end();
  };
  return { result, stop };
}

/** What a screen shows of the upload of a row. */
export type UploadState = {
  /** From 0 to 1. */
  share: number;
  /** An attempt has failed, and the next one has sent nothing yet. */
  isWaiting: boolean;
};

export function uploadStateOf(owner: InSession, { clientId, state, attempts }: OutboxRow): UploadState {
  const { shareOf, moving } = progressesOf(owner);
  const isUnderWay = state === 'sending' && (attempts === 1 || moving.has(clientId));
  return { share: shareOf(clientId), isWaiting: attempts > 0 && !isUnderWay && state !== 'failed' };
}

/** The result of a row follows its removal or rejection, unless this tab has missed it. */
const RESULT_TIMEOUT_MS = 1000;

/**
 * Reports the progress of a row. Calls `onEnd` if no result has ended the watch soon after the row was removed, or, with
 * the row, after it was rejected. Returns a function that ends it.
 */
function watchRow(
  db: HeartwardDb,
  id: string,
  onProgress: OnProgress,
  onEnd: (rejected: OutboxRow | undefined) => void,
): () => void {
  let stored: OutboxRow | undefined;
  let timeout: ReturnType<typeof setTimeout> | undefined;
  const report = () => {
    if (!stored) return;
    const { share, isWaiting } = uploadStateOf(db, stored);
    onProgress(share, isWaiting);
  };
  const rows = liveQuery(() => db.outbox.get(id)).subscribe((row) => {
    const hasEnded = row ? row.state === 'failed' : stored !== undefined;
    if (hasEnded) timeout ??= setTimeout(onEnd, RESULT_TIMEOUT_MS, row);
    stored = row;
    report();
  });
  const stop = progressesOf(db).subscribe(report);
  return () => {
    clearTimeout(timeout);
    stop();
    rows.unsubscribe();
  };
}
