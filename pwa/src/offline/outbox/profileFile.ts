/**
 * Sends a file of the own profile. It is stored on the device first, and continues by itself after a loss of the network
 * or, by resuming the stored row, after a reload. Only for pages.
 */
import { ApiError, request } from '../../api/request.ts';
import type { HeartwardDb } from '../store/db.ts';
import { withQuotaRetry } from '../store/quota.ts';
import type { ProfileFileRow, ProfileUploadRow, UploadPart } from '../store/rows.ts';
import { backoff } from './drain.ts';
import { deleteUploads, UploadExpired, type UploadOptions, uploadBytes } from './tus.ts';

const LONGEST_PAUSE_MS = 10_000;
/** A file waits at most so long for a limit of the server, as for that of incomplete uploads; longer ones are reported. */
const LONGEST_LIMIT_MS = 60_000;

/** Called with the sent share of the file, from 0 to 1, and whether the upload waits for a connection. */
export type OnProgress = (share: number, isWaiting?: boolean) => void;

export type ProfileFile = Omit<ProfileFileRow, 'id'> &
  Pick<ProfileUploadRow, 'method' | 'path' | 'recorded' | 'question' | 'crop'>;

type PartName = 'upload' | 'posterUpload';

const noUploads = (): Record<PartName, UploadPart> => ({
  upload: { url: null, id: null },
  posterUpload: { url: null, id: null },
});

/** Runs work in one transaction on the rows of the files and on those of their bytes. */
const transact = <T>(db: HeartwardDb, work: () => Promise<T>): Promise<T> =>
  db.transaction('rw', db.profileUploads, db.profileFiles, work);

/** Stores a file on the device; returns the id of its row. */
export async function storeProfileFile(
  db: HeartwardDb,
  { bytes, poster, ...file }: ProfileFile,
): Promise<string> {
  const id = crypto.randomUUID();
  await withQuotaRetry(db, () =>
    transact(db, async () => {
      await db.profileFiles.add({ id, bytes, poster });
      await db.profileUploads.add({ ...file, id, blobId: id, createdAt: Date.now(), ...noUploads() });
    }),
  );
  return id;
}

/** Returns the bytes of a stored file; undefined if it is no longer stored. */
export async function readProfileFile(db: HeartwardDb, id: string): Promise<ProfileFileRow | undefined> {
  return db.transaction('r', db.profileUploads, db.profileFiles, async () => {
    const row = await db.profileUploads.get(id);
    return row && db.profileFiles.get(row.blobId);
  });
}

/** Stores a picture in the size in which it is uploaded, in place of the chosen one. */
export async function storeScaled(db: HeartwardDb, id: string, bytes: Blob): Promise<void> {
  await withQuotaRetry(db, () =>
    transact(db, async () => {
      const row = await db.profileUploads.get(id);
      // Another tab may have scaled it, and be sending its bytes by now.
      if (!row || row.isScaled) return;
      // In a new row, because one with bytes is never written again.
      const blobId = crypto.randomUUID();
      await db.profileFiles.add({ id: blobId, bytes });
      await db.profileFiles.delete(row.blobId);
      await db.profileUploads.update(id, { blobId, isScaled: true });
    }),
  );
}

/** Deletes a file and its bytes from the device, and returns its row. */
const removeRows = (db: HeartwardDb, id: string) =>
  transact(db, async () => {
    const row = await db.profileUploads.get(id);
    if (row) await db.profileFiles.delete(row.blobId);
    await db.profileUploads.delete(id);
    return row;
  });

/** Deletes a stored file and its uploads. A page that is sending it stops before it is added to the profile. */
export async function deleteProfileFile(db: HeartwardDb, id: string): Promise<void> {
  const row = await removeRows(db, id);
  if (row) void deleteUploads(db.memberId, urlsOf(row));
}

const urlsOf = ({ upload, posterUpload }: ProfileUploadRow) =>
  [upload, posterUpload].flatMap(({ url }) => url ?? []);

/** Stores and sends a file as sendStoredFile does. A rejected file is deleted from the device. */
export async function sendProfileFile<T>(
  db: HeartwardDb,
  file: ProfileFile,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<T> {
  const id = await storeProfileFile(db, file);
  try {
    return await sendStoredFile<T>(db, id, { onProgress, signal });
  } catch (error) {
    if (isRejection(error)) await deleteProfileFile(db, id);
    throw error;
  }
}

/**
 * Whether the server has rejected the file. With an expired session it stays until the member signs in again, and after a
 * response of a proxy until another network.
 */
export const isRejection = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status !== 401 && error.kind !== 'proxy';

type Sending<T> = {
  onProgress: OnProgress;
  signal: AbortSignal;
  /** Called with the response, before the file is deleted from the device. */
  onAdded?: (result: T) => Promise<unknown>;
};

/**
 * Uploads a stored file, adds it to the profile and deletes it from the device. Retries until the server responds; the
 * server adds the file once. Returns the response. Throws ApiError if the server rejects it: the row stays, without its
 * uploads. Throws the signal's reason, or an AbortError if the file is no longer stored, and deletes what is left of it.
 * Waits while another tab sends the file.
 */
export function sendStoredFile<T>(db: HeartwardDb, id: string, sending: Sending<T>): Promise<T> {
  return withFileLock(id, sending.signal, async () => {
    try {
      const result = await retryUntilResponse((onAccepted) => attempt<T>(db, id, sending, onAccepted), {
        signal: sending.signal,
        onWait: () => sending.onProgress(shares.get(id) ?? 0, true),
        onExpired: () => db.profileUploads.update(id, noUploads()),
      });
      await sending.onAdded?.(result);
      await removeRows(db, id);
      return result;
    } catch (error) {
      await cleanUp(db, id, error, sending.signal);
      throw error;
    } finally {
      shares.delete(id);
    }
  });
}

/** The sent share of each file that is being sent. */
const shares = new Map<string, number>();

/** Holds the lock of a stored file, so that two tabs do not send it at the same time. */
function withFileLock<T>(id: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  // Only secure contexts have locks.
  if (!navigator.locks) return work();
  return navigator.locks.request(`hw-profile-file-${id}`, { signal }, () => work());
}

async function attempt<T>(
  db: HeartwardDb,
  id: string,
  { onProgress, signal }: Sending<T>,
  onAccepted: () => void,
): Promise<T> {
  // Together, because another tab may store scaled bytes in another row meanwhile.
  const [row, { bytes, poster }] = await db.transaction('r', db.profileUploads, db.profileFiles, async () => {
    const stored = await storedRow(db, id);
    return [stored, (await db.profileFiles.get(stored.blobId)) ?? gone()];
  });
  const optionsOf = (part: PartName): PartOptions => ({
    onProgress: (sent) => {
      if (part === 'upload') shares.set(id, sent);
      onProgress(shares.get(id) ?? 0);
    },
    onAccepted,
    signal,
  });
  const posterUploadId =
    poster && (await sendPart(db, row, 'posterUpload', poster, optionsOf('posterUpload')));
  const uploadId = await sendPart(db, row, 'upload', bytes, optionsOf('upload'));
  await storedRow(db, id);
  const body = {
    uploadId,
    ...(posterUploadId && { posterUploadId }),
    ...row.recorded,
    question: row.question,
    crop: row.crop,
  };
  const { method, path } = row;
  return (await request<T>(path, { method, body, memberId: db.memberId, signal })).data;
}

/** Returns the row; throws an AbortError if the member has deleted it, as in another tab. */
const storedRow = async (db: HeartwardDb, id: string): Promise<ProfileUploadRow> =>
  (await db.profileUploads.get(id)) ?? gone();

function gone(): never {
  throw new DOMException('The file is no longer on this device', 'AbortError');
}

type PartOptions = Pick<UploadOptions, 'onProgress' | 'onAccepted' | 'signal'>;

/** Uploads a part, unless all of it has arrived, and returns the id of its upload. */
async function sendPart(
  db: HeartwardDb,
  row: ProfileUploadRow,
  name: PartName,
  bytes: Blob,
  options: PartOptions,
): Promise<string> {
  const { url, id } = row[name];
  if (id) return id;
  const setPart = (change: Partial<UploadPart>) =>
    db.profileUploads.update(row.id, (stored) => void Object.assign(stored[name], change));
  const uploadId = await uploadBytes(bytes, {
    ...options,
    purpose: name === 'upload' && row.recorded?.chosen ? 'chosenVideo' : 'profile',
    session: db.session,
    mimeType: bytes.type,
    url,
    onUrl: (address) => setPart({ url: address }),
  });
  await setPart({ id: uploadId });
  return uploadId;
}

/** Deletes what a rejected or cancelled file leaves. After other errors it can be sent again from where it was. */
async function cleanUp(db: HeartwardDb, id: string, error: unknown, signal: AbortSignal): Promise<void> {
  if (signal.aborted || isAbort(error)) return deleteProfileFile(db, id);
  if (!isRejection(error)) return;
  const row = await db.profileUploads.get(id);
  await db.profileUploads.update(id, noUploads());
  if (row) void deleteUploads(db.memberId, urlsOf(row));
}

const isAbort = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

type Retrying = { signal: AbortSignal; onWait: () => void; onExpired: () => Promise<unknown> };

/**
 * Repeats the attempt until it succeeds or is rejected, once from the start if the server has deleted the upload. The
 * pauses grow until an attempt brings the server more of the bytes.
 */
async function retryUntilResponse<T>(
  attempt: (onAccepted: () => void) => Promise<T>,
  { signal, onWait, onExpired }: Retrying,
): Promise<T> {
  let mayRestart = true;
  let failures = 0;
  for (;;) {
    try {
      return await attempt(() => {
        failures = 0;
      });
    } catch (error) {
      signal.throwIfAborted();
      const restart = mayRestart && hasExpired(error);
      if (!restart && !canRetry(error)) throw error;
      if (restart) {
        mayRestart = false;
        await onExpired();
      }
    }
    failures += 1;
    onWait();
    await pause(Math.min(LONGEST_PAUSE_MS, backoff(failures, Math.random)), signal);
  }
}

const hasExpired = (error: unknown) =>
  error instanceof UploadExpired ||
  (error instanceof ApiError && error.status === 404 && error.kind !== 'proxy');

/** Whether another attempt can succeed soon. After a 429 the wait may last until tomorrow. */
function canRetry(error: unknown): boolean {
  if (!(error instanceof ApiError)) return error instanceof TypeError;
  const { isTemporary, status, retryAfterMs } = error;
  if (status === 429) return retryAfterMs !== null && retryAfterMs <= LONGEST_LIMIT_MS;
  return isTemporary && status !== 500;
}

/** Resolves after `ms`, or as soon as the browser is online or the page is visible again. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(end, ms);
    function end() {
      clearTimeout(timer);
      removeEventListener('online', end);
      document.removeEventListener('visibilitychange', end);
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    }
    addEventListener('online', end);
    document.addEventListener('visibilitychange', end);
    signal.addEventListener('abort', end);
  });
}
