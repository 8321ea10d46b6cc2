/** Uploads the picture of a story. */

import { MemberError } from '@/api/errors.ts';
import type { Session } from '@/base/pageSession.ts';
import {
  canvasIsTrue,
  drawScaled,
  isDecoded,
  MAX_PICTURE_BYTES,
  MAX_SIDE_PX,
  shrink,
} from '@/media/picture.ts';
import { uploadBytes } from '@/offline/outbox/tus.ts';
import type { DraftPicture } from './storyDraft.ts';

const QUALITY = 0.9;
/** The preview in the draft, which survives a reload; a few kilobytes. */
const PREVIEW_PX = 480;
const PREVIEW_QUALITY = 0.7;

type Sending = { onProgress: (share: number) => void; signal: AbortSignal };

/**
 * Scales a picture down and uploads it. Returns the id of the upload, from which the post makes its picture. Throws a
 * MemberError for a file that is no picture or too large, and the errors of uploadBytes.
 */
export async function uploadPicture(
  file: File,
  session: Session,
  { onProgress, signal }: Sending,
): Promise<DraftPicture> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null);
  if (!bitmap)
    throw new MemberError(`${file.name || 'This file'} isn't a picture that this browser can read.`);
  const preview =
    canvasIsTrue() && isDecoded(bitmap)
      ? drawScaled(bitmap, PREVIEW_PX).toDataURL('image/jpeg', PREVIEW_QUALITY)
      : '';
  const bytes = await shrink(file, bitmap, MAX_SIDE_PX, QUALITY);
  bitmap.close();
  if (bytes.size > MAX_PICTURE_BYTES)
    throw new MemberError('The picture is larger than 10 MB. Please choose a smaller one.');
  const id = await uploadBytes(bytes, {
    // The server has no purpose of its own for stories.
    purpose: 'profile',
    session,
    mimeType: bytes.type,
    url: null,
    onUrl: () => undefined,
    onProgress,
    signal,
  });
  return { id, preview };
}
