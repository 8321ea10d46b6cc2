/**
 * Uploads bytes in chunks (tus 1.0), so that an interruption loses at most one of them. The device chooses the id of the
 * upload, and the caller stores its address before the first request; the next attempt asks the server for the offset and
 * continues there. If the server does not know the upload, it is created with the same id, so that a lost response to
 * the creation leaves no second one. For pages only.
 */
import type { DetailedError, HttpResponse, Upload } from 'tus-js-client';
import { part, type Session } from '@/base/pageSession.ts';
import { ApiError, retryAfter } from '../../api/request.ts';
import type { Problem } from '../../api/types.ts';

const ENDPOINTS = {
  message: '/api/uploads',
  profile: '/api/uploads?purpose=profile',
  /** A video file of the device for the profile: refused before its bytes are sent if the server cannot convert it. */
  chosenVideo: '/api/uploads?purpose=profile&chosen=true',
};
const CHUNK_BYTES = 1024 * 1024;
/** An upload is aborted after this time without progress. */
const STALL_TIMEOUT_MS = 30_000;

/** The uploads of a session; they end with it. */
const uploadsOf = part((session) => {
  const active = new Set<Upload>();
  session.onStop(() => {
    for (const upload of active) void upload.abort();
    active.clear();
  });
  /** `offsets`: how many bytes of each upload the server has received, as far as this page knows, by its id. */
  return { active, offsets: new Map<string, number>() };
});

/** The upload cannot continue. The server deletes an incomplete one after a day, or earlier if it has received no byte. */
export class UploadExpired extends Error {}

export type UploadOptions = {
  /** The server limits the uploads of each purpose separately. */
  purpose: keyof typeof ENDPOINTS;
  session: Session;
  mimeType: string;
  /** The address of the upload to continue; null for a new one. */
  url: string | null;
  /** Called with the address of a new upload, before it is created. */
  onUrl: (url: string) => unknown;
  onProgress: (share: number) => void;
  /** Called when the server has received more of the bytes than this page knew of. */
  onAccepted?: () => void;
  signal?: AbortSignal;
};

/**
 * Uploads the bytes and returns the id of the upload. Throws UploadExpired; ApiError if the upload is rejected; the
 * reason of the signal; another error to be retried.
 */
export async function uploadBytes(bytes: Blob, options: UploadOptions): Promise<string> {
  const { Upload, DetailedError: ResponseError } = await import('tus-js-client');
  const { purpose, session, mimeType, url, onUrl, onProgress, onAccepted, signal } = options;
  const { active, offsets } = uploadsOf(session);
  const path = url ?? `/api/uploads/${crypto.randomUUID()}`;
  if (!url) await onUrl(path);
  signal?.throwIfAborted();
  if (session.isStopped) throw new DOMException('The member has signed out', 'AbortError');
  const id = path.split('/').at(-1) ?? '';
  return new Promise((resolve, reject) => {
    const abort = (reason: unknown) => {
      void tusUpload.abort();
      end(() => reject(reason));
    };
    const cancel = () => abort(signal?.reason);
    const stallTimer = startStallTimer(() => abort(new TypeError('The upload has stalled')));
    const end = (settle: () => void) => {
      stallTimer.stop();
      signal?.removeEventListener('abort', cancel);
      active.delete(tusUpload);
      settle();
    };
    const tusUpload = new Upload(bytes, {
      endpoint: ENDPOINTS[purpose],
      uploadUrl: url,
      chunkSize: CHUNK_BYTES,
      // The caller schedules retries.
      retryDelays: null,
      storeFingerprintForResuming: false,
      headers: { 'X-Member': session.memberId, 'Upload-Id': id },
      metadata: { filetype: mimeType },
      onProgress: (sent, total) => {
        stallTimer.restart();
        onProgress(total ? sent / total : 0);
      },
      onAfterResponse: (_request, response) => {
        const offset = Number(response.getHeader('Upload-Offset') ?? 0);
        if (offset <= (offsets.get(id) ?? 0)) return;
        offsets.set(id, offset);
        onAccepted?.();
      },
      onSuccess: () => {
        offsets.delete(id);
        end(() => resolve(id));
      },
      onError: (error) => end(() => reject(error instanceof ResponseError ? uploadError(error) : error)),
    });
    active.add(tusUpload);
    signal?.addEventListener('abort', cancel);
    tusUpload.start();
  });
}

/** Deletes uploads on the server, so that they no longer count as open. The server itself deletes them after a day. */
export async function deleteUploads(memberId: string, urls: readonly string[]): Promise<void> {
  const headers = { 'Tus-Resumable': '1.0.0', 'X-Member': memberId };
  await Promise.allSettled(urls.map((url) => fetch(url, { method: 'DELETE', headers })));
}

/** Returns the error of a response. A chunk rejected because another is still being written (409, 423) is retried. */
export function uploadError({
  originalRequest,
  originalResponse: response,
}: Pick<DetailedError, 'originalRequest' | 'originalResponse'>): Error {
  const status = response?.getStatus() ?? 0;
  const method = originalRequest?.getMethod();
  if (response && status < 500 && !isFromServer(response))
    return new ApiError(status, 'proxy', 'This network blocks the upload. It continues in another one.');
  if (method !== 'POST' && (status === 404 || status === 410)) return new UploadExpired();
  const isConflict = method === 'PATCH' && (status === 409 || status === 423);
  if (!response || status < 400 || isConflict) return new TypeError('The upload was interrupted');
  const { detail, errors, code } = problemOf(response.getBody());
  if (code === 'upload_id_used') return new UploadExpired();
  const wait = retryAfter(response.getHeader('Retry-After') ?? null, Date.now());
  const text = errors?.[0]?.message || detail || 'The server did not take this file.';
  return new ApiError(status, 'upload', text, {}, wait);
}

/** Whether the response is the server's: a captive portal or a company's proxy responds with a page of its own. */
const isFromServer = (response: HttpResponse): boolean =>
  Boolean(response.getHeader('Tus-Resumable')) ||
  Boolean(response.getHeader('Content-Type')?.includes('json'));

function problemOf(body: string): Partial<Problem> {
  try {
    return JSON.parse(body) as Partial<Problem>;
  } catch {
    // A failed proxy's (502), which is not for members.
    return {};
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
