/** A file of the own profile as a row of the outbox, in page and service worker. */
import type { ApiError } from '../../api/request.ts';
import type { OutboxRow, ProfileFile, UploadPart } from '../store/rows.ts';
import type { OutboxRequest } from './requestOf.ts';

export const NO_UPLOAD: UploadPart = { url: null, id: null };

/** Returns the file whose next uploads start at their first byte. */
export const withoutUploads = ({ isRepeated: _, ...file }: ProfileFile): ProfileFile => ({
  ...file,
  upload: NO_UPLOAD,
  posterUpload: NO_UPLOAD,
});

/** The addresses of the uploads that the server has of a file. */
export const uploadUrlsOf = ({ upload, posterUpload }: ProfileFile): string[] =>
  [upload, posterUpload].flatMap(({ url }) => url ?? []);

/** The request that adds an uploaded file to the profile. */
export const requestOfFile = (file: ProfileFile): OutboxRequest => ({
  method: file.method,
  path: file.path,
  body: {
    uploadId: file.upload.id,
    ...(file.posterUpload.id && { posterUploadId: file.posterUpload.id }),
    ...file.recorded,
    question: file.question,
    crop: file.crop,
  },
});

/** A file waits at most so long for a limit of the server, as for that of incomplete uploads; longer ones are reported. */
const LONGEST_LIMIT_MS = 60_000;

/**
 * Whether a temporary error ends the attempts to send a row: the member waits for a file of the profile, so a limit until
 * tomorrow and a failure of the server, which a file itself may cause, are shown.
 */
export function endsAttempts({ kind }: OutboxRow, { status, retryAfterMs }: ApiError): boolean {
  if (kind !== 'profileFile') return false;
  if (status === 429) return retryAfterMs === null || retryAfterMs > LONGEST_LIMIT_MS;
  return status === 500;
}
