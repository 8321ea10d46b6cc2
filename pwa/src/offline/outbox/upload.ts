/**
 * Uploads a file in chunks (tus 1.0), so that an interruption loses at most one of them. The address of the upload is
 * stored with the bytes on the device; the next attempt asks the server for the offset and continues there. For pages
 * only.
 */
import type { DetailedError, Upload } from 'tus-js-client';
import { ApiError, request, retryAfter } from '../../api/request.ts';
import type { Attachment, Problem } from '../../api/types.ts';
import type { HeartwardDb } from '../store/db.ts';
import type { BlobRow, LocalAttachment } from '../store/rows.ts';
import { onWipe } from '../store/teardown.ts';
import { setProgress } from './progress.ts';

const CHUNK_BYTES = 1024 * 1024;
/** An upload is aborted after this time without progress. */
const STALL_TIMEOUT_MS = 30_000;

const activeUploads = new Set<Upload>();

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

/** The server no longer has the upload. It deletes an incomplete one after a day. */
class UploadExpired extends Error {}

/**
 * Makes the next attempt start a new upload if the server has deleted this one. Returns the error to throw. A 404 for
 * an upload that was completed in this attempt is a rejection, because a new upload would not be found either.
 */
async function resetIfExpired(db: HeartwardDb, before: BlobRow, error: unknown): Promise<unknown> {
  const isFileMissing = error instanceof ApiError && error.status === 404 && before.uploadUrl !== undefined;
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
  const mimeType = part === 'poster' ? bytes.type : file.mimeType;
  const url = await upload(bytes, {
    from: stored[urlField[part]] ?? null,
    headers: { 'X-Member': db.memberId },
    metadata: { filetype: mimeType },
    // Stored before the first byte is sent.
    onUrl: (path) => db.blobs.update(stored.id, { [urlField[part]]: path }),
    onProgress: (share) => part === 'blob' && setProgress(file.localId, share),
  });
  return url.split('/').at(-1) ?? '';
}

/** Cancels uploads on the server, so that they no longer count as open. The server itself deletes them after a day. */
export async function cancelUploads(memberId: string, blobs: readonly BlobRow[]): Promise<void> {
  const headers = { 'Tus-Resumable': '1.0.0', 'X-Member': memberId };
  const urls = blobs.flatMap(({ uploadUrl, posterUploadUrl }) =>
    [uploadUrl, posterUploadUrl].filter((url) => url !== undefined),
  );
  await Promise.allSettled(urls.map((url) => fetch(url, { method: 'DELETE', headers })));
}

type UploadOptions = {
  from: string | null;
  headers: Record<string, string>;
  metadata: Record<string, string>;
  onUrl: (path: string) => Promise<unknown>;
  onProgress: (share: number) => void;
};

async function upload(
  bytes: Blob,
  { from, headers, metadata, onUrl, onProgress }: UploadOptions,
): Promise<string> {
  const { Upload, DetailedError: ResponseError } = await import('tus-js-client');
  return new Promise((resolve, reject) => {
    let path = from;
    let stored: Promise<unknown> = Promise.resolve();
    const stallTimer = startStallTimer(() => {
      void tusUpload.abort();
      end(() => reject(new TypeError('The upload has stalled')));
    });
    const end = (settle: () => void) => {
      stallTimer.stop();
      activeUploads.delete(tusUpload);
      settle();
    };
    const tusUpload = new Upload(bytes, {
      endpoint: from ? undefined : '/api/uploads',
      uploadUrl: from,
      chunkSize: CHUNK_BYTES,
      // The outbox schedules retries.
      retryDelays: null,
      storeFingerprintForResuming: false,
      headers,
      metadata,
      onProgress: (sent, total) => {
        stallTimer.restart();
        onProgress(total ? sent / total : 0);
      },
      onUploadUrlAvailable: () => {
        if (path || !tusUpload.url) return;
        path = new URL(tusUpload.url, location.href).pathname;
        stored = onUrl(path);
      },
      onSuccess: () => end(() => void stored.then(() => resolve(path ?? ''), reject)),
      onError: (error) => end(() => reject(error instanceof ResponseError ? toError(error) : error)),
    });
    activeUploads.add(tusUpload);
    tusUpload.start();
  });
}

/** Returns the error of a response. A chunk rejected because another is still being written (409, 423) is retried. */
function toError({ originalRequest, originalResponse: response }: DetailedError): Error {
  const status = response?.getStatus() ?? 0;
  const method = originalRequest?.getMethod();
  if (method !== 'POST' && (status === 404 || status === 410)) return new UploadExpired();
  const isConflict = method === 'PATCH' && (status === 409 || status === 423);
  if (!response || status < 400 || isConflict) return new TypeError('The upload was interrupted');
  const wait = retryAfter(response.getHeader('Retry-After') ?? null, Date.now());
  return new ApiError(status, 'upload', detailOf(response.getBody()), {}, wait);
}

function detailOf(body: string): string {
  try {
    const { detail, errors } = JSON.parse(body) as Partial<Problem>;
    return errors?.[0]?.message || detail || 'The server did not take this file.';
  } catch {
    // The body is a proxy's, which is not for members.
    return 'The server did not take this file.';
  }
}

function startStallTimer(onStall: () => void) {
  let timer = setTimeout(onStall, STALL_TIMEOUT_MS);
  return {
    restart() {
      clearTimeout(timer);
      timer = setTimeout(onStall, STALL_TIMEOUT_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

onWipe(() => {
  for (const upload of activeUploads) void upload.abort();
  activeUploads.clear();
});
