/**
 * Uploads a file in pieces (tus 1.0), so that a cut costs at most one of them. The address of the
 * upload is stored beside the bytes on the device: the next try asks how much is there and goes on. Only for pages.
 */
import type { DetailedError, Upload } from 'tus-js-client';
import { ApiError, request, retryAfter } from '../../api/request.ts';
import type { Attachment, Problem } from '../../api/types.ts';
import type { HeartwardDb } from '../store/db.ts';
import type { BlobRow, LocalAttachment } from '../store/rows.ts';
import { onWipe } from '../store/teardown.ts';
import { setProgress } from './progress.ts';

const PIECE_BYTES = 1024 * 1024;
/** An upload without progress for longer than this is cut. */
const STALL_MS = 30_000;

const underway = new Set<Upload>();

type Part = 'blob' | 'poster';
const urlField = { blob: 'uploadUrl', poster: 'posterUploadUrl' } as const;

/** Resolves with the file's number at the server. Throws ApiError for a refusal, anything else when there was no answer. */
export async function uploadFile(db: HeartwardDb, file: LocalAttachment): Promise<string> {
  const stored = await db.blobs.get(file.localId);
  if (!stored) throw new ApiError(422, 'invalid', 'This file is no longer on this device.');
  setProgress(file.localId, 0);
  try {
    const posterUploadId = stored.poster ? await sendPart(db, stored, 'poster', file) : undefined;
    const id = await sendPart(db, stored, 'blob', file);
    await makeFile(db, id, file, posterUploadId);
    setProgress(file.localId, 1);
    return id;
  } catch (error) {
    setProgress(file.localId, null);
    throw await forgetLost(db, stored, error);
  }
}

/** Creates the file from the complete upload. The server checks the bytes and may refuse. */
async function makeFile(db: HeartwardDb, id: string, file: LocalAttachment, posterUploadId?: string) {
  const { kind, durationMs, waveform } = file;
  const recorded =
    kind === 'image' ? {} : { durationMs, waveform, ...(posterUploadId && { posterUploadId }) };
  await request<Attachment>(`/api/uploads/${id}/file`, {
    method: 'POST',
    body: { kind, ...recorded },
    memberId: db.memberId,
  });
}

/** The server no longer has the upload: it keeps an incomplete one for a day. */
class Forgotten extends Error {}

/**
 * What the server has forgotten starts anew. A file that cannot be found although its upload came whole just now
 * would not be found again: that is a refusal.
 */
async function forgetLost(db: HeartwardDb, before: BlobRow, error: unknown): Promise<unknown> {
  const lateFile = error instanceof ApiError && error.status === 404 && before.uploadUrl !== undefined;
  if (!(error instanceof Forgotten) && !lateFile) return error;
  await db.blobs.update(before.id, { uploadUrl: undefined, posterUploadUrl: undefined });
  return new TypeError('The upload has expired');
}

async function sendPart(
  db: HeartwardDb,
  stored: BlobRow,
  part: Part,
  file: LocalAttachment,
): Promise<string> {
  const bytes = stored[part];
  if (!bytes) throw new TypeError(`There is no ${part} to send`);
  const mimeType = part === 'poster' ? bytes.type : file.mimeType;
  const url = await send(bytes, {
    from: stored[urlField[part]] ?? null,
    headers: { 'X-Member': db.memberId },
    metadata: { filetype: mimeType },
    // Kept before the first byte travels.
    onUrl: (path) => db.blobs.update(stored.id, { [urlField[part]]: path }),
    onProgress: (share) => part === 'blob' && setProgress(file.localId, share),
  });
  return url.split('/').at(-1) ?? '';
}

/** Tells the server that uploads will not go on, so that they do not count; without this it forgets them after a day. */
export async function abandon(memberId: string, blobs: readonly BlobRow[]): Promise<void> {
  const headers = { 'Tus-Resumable': '1.0.0', 'X-Member': memberId };
  const urls = blobs.flatMap(({ uploadUrl, posterUploadUrl }) =>
    [uploadUrl, posterUploadUrl].filter((url) => url !== undefined),
  );
  await Promise.allSettled(urls.map((url) => fetch(url, { method: 'DELETE', headers })));
}

type Sending = {
  from: string | null;
  headers: Record<string, string>;
  metadata: Record<string, string>;
  onUrl: (path: string) => Promise<unknown>;
  onProgress: (share: number) => void;
};

async function send(bytes: Blob, { from, headers, metadata, onUrl, onProgress }: Sending): Promise<string> {
  const { Upload, DetailedError: Answered } = await import('tus-js-client');
  return new Promise((resolve, reject) => {
    let path = from;
    let stored: Promise<unknown> = Promise.resolve();
    const silent = watchdog(() => {
      void upload.abort();
      end(() => reject(new TypeError('The upload stands still')));
    });
    const end = (settle: () => void) => {
      silent.stop();
      underway.delete(upload);
      settle();
    };
    const upload = new Upload(bytes, {
      endpoint: from ? undefined : '/api/uploads',
      uploadUrl: from,
      chunkSize: PIECE_BYTES,
      // The outbox decides when it is tried again.
      retryDelays: null,
      storeFingerprintForResuming: false,
      headers,
      metadata,
      onProgress: (sent, total) => {
        silent.heard();
        onProgress(total ? sent / total : 0);
      },
      onUploadUrlAvailable: () => {
        if (path || !upload.url) return;
        path = new URL(upload.url, location.href).pathname;
        stored = onUrl(path);
      },
      onSuccess: () => end(() => void stored.then(() => resolve(path ?? ''), reject)),
      onError: (error) => end(() => reject(error instanceof Answered ? answerOf(error) : error)),
    });
    underway.add(upload);
    upload.start();
  });
}

/** A piece that is refused because another is still being taken (409, 423): the next try asks where to go on. */
function answerOf({ originalRequest, originalResponse: response }: DetailedError): Error {
  const status = response?.getStatus() ?? 0;
  const method = originalRequest?.getMethod();
  if (method !== 'POST' && (status === 404 || status === 410)) return new Forgotten();
  const piece = method === 'PATCH' && (status === 409 || status === 423);
  if (!response || status < 400 || piece) return new TypeError('The upload was cut');
  const wait = retryAfter(response.getHeader('Retry-After') ?? null, Date.now());
  return new ApiError(status, 'upload', detailOf(response.getBody()), {}, wait);
}

function detailOf(body: string): string {
  try {
    const { detail, errors } = JSON.parse(body) as Partial<Problem>;
    return errors?.[0]?.message || detail || 'The server did not take this file.';
  } catch {
    // A proxy's words are not for members.
    return 'The server did not take this file.';
  }
}

function watchdog(bite: () => void) {
  let timer = setTimeout(bite, STALL_MS);
  return {
    heard() {
      clearTimeout(timer);
      timer = setTimeout(bite, STALL_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

onWipe(() => {
  for (const upload of underway) void upload.abort();
  underway.clear();
});
