/** Uploads a file of a message. The address of its upload is stored with the bytes on the device. For pages only. */
import { ApiError, request } from '../../api/request.ts';
import type { Attachment } from '../../api/types.ts';
import type { HeartwardDb } from '../store/db.ts';
import type { BlobRow, LocalAttachment } from '../store/rows.ts';
import { setProgress } from './progress.ts';
import { deleteUploads, UploadExpired, uploadBytes } from './tus.ts';

type Part = 'blob' | 'poster';
const urlField = { blob: 'uploadUrl', poster: 'posterUploadUrl' } as const;

/** Uploads a file and returns its id on the server. Throws ApiError if it is rejected, another error to be retried. */
export async function uploadFile(db: HeartwardDb, file: LocalAttachment): Promise<string> {
  const stored = await db.blobs.get(file.localId);
  if (!stored) throw new ApiError(422, 'invalid', 'This file is no longer on this device.');
  setProgress(file.localId, 0);
  try {
    const posterUploadId = stored.poster ? await uploadPart(db, stored, 'poster', file) : undefined;
    const id = await uploadPart(db, stored, 'blob', file);
    await createFile(db, id, file, posterUploadId);
    setProgress(file.localId, 1);
    return id;
  } catch (error) {
    setProgress(file.localId, null);
    throw await resetIfExpired(db, stored, error);
  }
}

/** Creates the file from the complete upload. The server checks the bytes and may reject them. */
async function createFile(db: HeartwardDb, id: string, file: LocalAttachment, posterUploadId?: string) {
  const { kind, durationMs, waveform } = file;
  const recordingFields =
    kind === 'image' ? {} : { durationMs, waveform, ...(posterUploadId && { posterUploadId }) };
  await request<Attachment>(`/api/uploads/${id}/file`, {
    method: 'POST',
    body: { kind, ...recordingFields },
    memberId: db.memberId,
  });
}

/**
 * Makes the next attempt start a new upload if the server has deleted this one. Returns the error to throw. A 404 for
 * an upload that was completed in this attempt is a rejection, because a new upload would not be found either.
 */
async function resetIfExpired(db: HeartwardDb, before: BlobRow, error: unknown): Promise<unknown> {
  const isFileMissing =
    error instanceof ApiError &&
    error.status === 404 &&
    error.kind !== 'proxy' &&
    before.uploadUrl !== undefined;
  if (!(error instanceof UploadExpired) && !isFileMissing) return error;
  await db.blobs.update(before.id, { uploadUrl: undefined, posterUploadUrl: undefined });
  return new TypeError('The upload has expired');
}

async function uploadPart(
  db: HeartwardDb,
  stored: BlobRow,
  part: Part,
  file: LocalAttachment,
): Promise<string> {
  const bytes = stored[part];
  if (!bytes) throw new TypeError(`There is no ${part} to upload`);
  return await uploadBytes(bytes, {
    purpose: 'message',
    memberId: db.memberId,
    mimeType: part === 'poster' ? bytes.type : file.mimeType,
    url: stored[urlField[part]] ?? null,
    onUrl: (url) => db.blobs.update(stored.id, { [urlField[part]]: url }),
    onProgress: (share) => part === 'blob' && setProgress(file.localId, share),
  });
}

/** Deletes the uploads of files that will not be sent. */
export async function cancelUploads(memberId: string, blobs: readonly BlobRow[]): Promise<void> {
  const urls = blobs.flatMap(({ uploadUrl, posterUploadUrl }) =>
    [uploadUrl, posterUploadUrl].filter((url) => url !== undefined),
  );
  await deleteUploads(memberId, urls);
}
