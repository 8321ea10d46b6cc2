/** Uploads a photo or recording of the own profile, whose row is in the outbox and whose bytes are in `profileFiles`. For pages only. */
import { ApiError } from '../../api/request.ts';
import type { HeartwardDb } from '../store/db.ts';
import { DeviceFull, withQuotaRetry } from '../store/quota.ts';
import type { OutboxRow, ProfileFile, ProfileFileRow, UploadPart } from '../store/rows.ts';
import { withoutUploads } from './profileFileBody.ts';
import { setProgress, startProgress } from './progress.ts';
import { UploadExpired, type UploadOptions, uploadBytes } from './tus.ts';

/** Returns a picture in the size in which it is uploaded. Throws ApiError if it stays too large. */
export type ScalePicture = (bytes: Blob) => Promise<Blob>;

type UploadContext = {
  scale: ScalePicture;
  /** Called when the server has received more of the bytes, and with false if it has lost them. */
  onAccepted: (isKept?: boolean) => void;
  signal: AbortSignal;
};

/** Runs work in one transaction on the outbox and on the bytes. */
const transact = <T>(db: HeartwardDb, work: () => Promise<T>): Promise<T> =>
  db.transaction('rw', db.outbox, db.profileFiles, work);

/** Returns the file of a row; throws an AbortError if the member has deleted it, as in another tab. */
async function fileOf(db: HeartwardDb, id: string): Promise<ProfileFile> {
  const row = await db.outbox.get(id);
  if (row?.body.kind === 'profileFile') return row.body;
  throw new DOMException('The file is no longer on this device', 'AbortError');
}

/**
 * Returns a file with its bytes; throws ApiError if its row has none. Together, because another tab may store scaled
 * bytes in another row meanwhile.
 */
const readStored = (db: HeartwardDb, id: string): Promise<[ProfileFile, ProfileFileRow]> =>
  db.transaction('r', db.outbox, db.profileFiles, async () => {
    const file = await fileOf(db, id);
    const stored = await db.profileFiles.get(file.blobId);
    if (!stored) throw new ApiError(422, 'invalid', 'This file is no longer on this device.');
    return [file, stored];
  });

const changeFile = (db: HeartwardDb, id: string, change: (file: ProfileFile) => ProfileFile) =>
  db.outbox.update(id, (row) => {
    if (row.body.kind === 'profileFile') row.body = change(row.body);
  });

/** Scales a picture down, once: its upload continues with the same bytes. */
async function scaleOnce(db: HeartwardDb, id: string, scale: ScalePicture): Promise<void> {
  const [file, stored] = await readStored(db, id);
  if (file.recorded || file.isScaled || file.upload.url) return;
  const bytes = await scale(stored.bytes);
  if (bytes === stored.bytes) await changeFile(db, id, (current) => ({ ...current, isScaled: true }));
  else await storeScaled(db, id, bytes);
}

/** Stores the scaled picture in a new row, because one with bytes is never written again. */
async function storeScaled(db: HeartwardDb, id: string, bytes: Blob): Promise<void> {
  await withQuotaRetry(db, () =>
    transact(db, async () => {
      const file = await fileOf(db, id);
      // Without the lock of secure contexts, another tab may have scaled it, and be sending its bytes by now.
      if (file.isScaled) return;
      const blobId = crypto.randomUUID();
      await db.profileFiles.add({ id: blobId, bytes });
      await db.profileFiles.delete(file.blobId);
      await changeFile(db, id, (current) => ({ ...current, blobId, isScaled: true }));
    }),
  ).catch((error: unknown) => {
    // The member frees space and tries again.
    throw error instanceof DeviceFull ? new ApiError(413, 'invalid', error.message) : error;
  });
}

/**
 * Uploads the parts of a file that have not arrived, and returns it with the ids of their uploads, which are stored at
 * once. Throws ApiError if it is rejected, an AbortError if it is no longer stored, another error to be retried.
 */
export async function uploadProfileFile(
  db: HeartwardDb,
  { clientId: id }: OutboxRow,
  { scale, onAccepted, signal }: UploadContext,
): Promise<ProfileFile> {
  try {
    await scaleOnce(db, id, scale);
    const [file, { bytes, poster }] = await readStored(db, id);
    startProgress(db, id);
    const options = { onAccepted: () => onAccepted(), signal };
    if (poster)
      await sendPart(db, id, file, 'posterUpload', poster, { ...options, onProgress: () => undefined });
    await sendPart(db, id, file, 'upload', bytes, {
      ...options,
      onProgress: (share) => setProgress(db, id, share),
    });
    // The member may have left it out meanwhile.
    return await fileOf(db, id);
  } catch (error) {
    if (!(error instanceof UploadExpired)) throw error;
    await changeFile(db, id, withoutUploads);
    onAccepted(false);
    throw new TypeError('The upload has expired');
  }
}

type PartOptions = Pick<UploadOptions, 'onProgress' | 'onAccepted' | 'signal'>;

/** Uploads a part, unless all of it has arrived. */
async function sendPart(
  db: HeartwardDb,
  id: string,
  file: ProfileFile,
  name: 'upload' | 'posterUpload',
  bytes: Blob,
  options: PartOptions,
): Promise<void> {
  const { url, id: uploadId } = file[name];
  if (uploadId) return;
  const setPart = (change: Partial<UploadPart>) =>
    changeFile(db, id, (current) => ({ ...current, [name]: { ...current[name], ...change } }));
  const arrived = await uploadBytes(bytes, {
    ...options,
    purpose: name === 'upload' && file.recorded?.chosen ? 'chosenVideo' : 'profile',
    session: db.session,
    mimeType: bytes.type,
    url,
    onUrl: (address) => setPart({ url: address }),
  });
  await setPart({ id: arrived });
}
