/** Uploads a file of the member's own profile. It continues by itself after a loss of the network. Only for pages. */
import { ApiError, request } from '../../api/request.ts';
import { getDb } from '../store/db.ts';
import { backoff } from './drain.ts';
import { deleteUploads, UploadExpired, uploadBytes } from './tus.ts';

const LONGEST_PAUSE_MS = 10_000;

/** Called with the sent share of the file, from 0 to 1, and whether the upload waits for a connection. */
export type OnProgress = (share: number, isWaiting?: boolean) => void;

export type ProfileFile = {
  method: 'POST' | 'PUT';
  /** The operation that makes the file from the upload. */
  path: string;
  bytes: Blob;
  /** A picture of a video. */
  poster?: Blob | null;
  recorded?: { durationMs: number; waveform: number[] };
  /** The question that a recording answers. */
  question?: string;
};

/** A part of the file. `id` is set when all of it has arrived. */
type Part = { bytes: Blob; url: string | null; id: string | null };

const newPart = (bytes: Blob): Part => ({ bytes, url: null, id: null });

/**
 * Uploads the file and adds it to the profile. Retries until the server responds; the server adds the
 * file once. Returns the response. Throws ApiError if the server rejects it, or the signal's reason, and then deletes
 * the upload.
 */
export async function sendProfileFile<T>(
  file: ProfileFile,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<T> {
  const { memberId } = getDb();
  const main = newPart(file.bytes);
  const parts = file.poster ? [newPart(file.poster), main] : [main];
  let share = 0;
  const report = (part: Part) => (sent: number) => {
    if (part === main) share = sent;
    onProgress(share);
  };

  async function attempt() {
    for (const part of parts) part.id ??= await sendPart(part, memberId, report(part), signal);
    const [posterUploadId] = parts.length > 1 ? parts.map(({ id }) => id) : [];
    const body = {
      uploadId: main.id,
      ...(posterUploadId && { posterUploadId }),
      ...file.recorded,
      question: file.question,
    };
    return (await request<T>(file.path, { method: file.method, body, memberId, signal })).data;
  }

  try {
    return await retryUntilResponse(attempt, {
      signal,
      onWait: () => onProgress(share, true),
      onExpired: () => {
        for (const part of parts) Object.assign(part, newPart(part.bytes));
      },
    });
  } catch (error) {
    void deleteUploads(
      memberId,
      parts.flatMap(({ url }) => url ?? []),
    );
    throw error;
  }
}

function sendPart(part: Part, memberId: string, onProgress: (share: number) => void, signal: AbortSignal) {
  return uploadBytes(part.bytes, {
    purpose: 'profile',
    memberId,
    mimeType: part.bytes.type,
    url: part.url,
    onUrl: (url) => {
      part.url = url;
    },
    onProgress,
    signal,
  });
}

type Retrying = { signal: AbortSignal; onWait: () => void; onExpired: () => void };

/** Repeats the attempt until it succeeds or is rejected, once from the start if the server has deleted the upload. */
async function retryUntilResponse<T>(
  attempt: () => Promise<T>,
  { signal, onWait, onExpired }: Retrying,
): Promise<T> {
  let mayRestart = true;
  for (let failures = 1; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      const restart = mayRestart && hasExpired(error);
      if (!restart && !canRetry(error)) throw error;
      if (restart) {
        mayRestart = false;
        onExpired();
      }
    }
    onWait();
    await pause(Math.min(LONGEST_PAUSE_MS, backoff(failures, Math.random)), signal);
  }
}

const hasExpired = (error: unknown) =>
  error instanceof UploadExpired || (error instanceof ApiError && error.status === 404);

/** Whether another attempt can succeed soon. After a 429 the wait may last until tomorrow. */
function canRetry(error: unknown): boolean {
  if (!(error instanceof ApiError)) return error instanceof TypeError;
  const { isTemporary, status } = error;
  return isTemporary && status !== 429 && status !== 500;
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
