/** Uploads a file of a message. The address of its upload is stored on the device, beside the bytes. For pages only. */
import { ApiError, request } from '../../api/request.ts';
import type { Attachment } from '../../api/types.ts';
import type { HeartwardDb } from '../store/db.ts';
import type { FileRow, LocalAttachment } from '../store/rows.ts';
import { setProgress } from './progress.ts';
import { deleteUploads, UploadExpired, type UploadOptions, uploadBytes } from './tus.ts';

type UrlField = 'uploadUrl' | 'posterUploadUrl';
type PartOptions = Pick<UploadOptions, 'mimeType' | 'onProgress'>;

/**
 * Uploads a file and returns its id on the server. Throws ApiError if it is rejected, another error to be retried.
 * `onAccepted` is called when the server has received more of the bytes, and with false if it has lost them.
 */
export async function uploadFile(
  db: HeartwardDb,
  file: LocalAttachment,
  onAccepted?: (isKept?: boolean) => void,
  signal?: AbortSignal,
): Promise<string> {
  const stored = await db.files.get(file.localId);
  const bytes = stored && (await db.blobs.get(stored.blobId));
  if (!stored || !bytes) throw new ApiError(422, 'invalid', 'This file is no longer on this device.');
  setProgress(db, file.localId, 0);
  try {
    const upload = (part: Blob, field: UrlField, options: PartOptions) =>
      uploadBytes(part, {
        ...options,
        purpose: 'message',
        session: db.session,
        url: stored[field] ?? null,
        onUrl: (url) => db.files.update(stored.id, { [field]: url }),
        onAccepted: () => onAccepted?.(),
        signal,
      });
    const { blob, poster } = bytes;
    const posterUploadId =
      poster &&
      (await upload(poster, 'posterUploadUrl', { mimeType: poster.type, onProgress: () => undefined }));
    const id = await upload(blob, 'uploadUrl', {
      mimeType: file.mimeType,
      onProgress: (share) => setProgress(db, file.localId, share),
    });
    await createFile(db, id, file, posterUploadId);
    setProgress(db, file.localId, 1);
    return id;
  } catch (error) {
    setProgress(db, file.localId, null);
    if (!hasExpired(stored, error)) throw error;
    await db.files.update(stored.id, { uploadUrl: undefined, posterUploadUrl: undefined });
    onAccepted?.(false);
    throw new TypeError('The upload has expired');
  }
}

/** Creates the file from the complete upload. The server checks the bytes and may reject them. */
async function createFile(
  db: HeartwardDb,
  id: string,
  file: LocalAttachment,
  posterUploadId: string | null,
): Promise<void> {
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
 * Whether the server has deleted the upload, so that the next attempt must start a new one. A 404 for an upload that was
 * completed in this attempt is a rejection, because a new upload would not be found either.
 */
function hasExpired(before: FileRow, error: unknown): boolean {
  if (error instanceof UploadExpired) return true;
  const isMissing = error instanceof ApiError && error.status === 404 && error.kind !== 'proxy';
  return isMissing && before.uploadUrl !== undefined;
}

/** Deletes the uploads of files that will not be sent. */
export async function cancelUploads(memberId: string, files: readonly FileRow[]): Promise<void> {
  const urls = files.flatMap(({ uploadUrl, posterUploadUrl }) =>
    [uploadUrl, posterUploadUrl].filter((url) => url !== undefined),
  );
  await deleteUploads(memberId, urls);
}
