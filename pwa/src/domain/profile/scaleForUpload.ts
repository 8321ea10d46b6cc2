import { ApiError } from '@/api/request.ts';
import { MAX_PICTURE_BYTES, MAX_SIDE_PX, shrink } from '@/media/picture.ts';

export const MB = 1024 * 1024;

const JPEG_QUALITY = 0.9;

/** Throws if a file is too large, before an upload that the server would reject. */
export function checkSize(bytes: number, blob: Blob, what: string): void {
  if (blob.size > bytes)
    throw new ApiError(413, 'invalid', `Please choose a ${what} of at most ${bytes / MB} MB.`);
}

/** Scales a picture down before the upload. One that the browser cannot decode is sent unchanged. */
async function scaleDown(file: Blob): Promise<Blob> {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const smaller = await shrink(file, bitmap, MAX_SIDE_PX, JPEG_QUALITY);
    bitmap.close();
    return smaller;
  } catch {
    return file;
  }
}

/** Scales a picture down for its upload. Throws if it stays too large. */
export async function scaleForUpload(picture: Blob): Promise<Blob> {
  const bytes = await scaleDown(picture);
  checkSize(MAX_PICTURE_BYTES, bytes, 'photo');
  return bytes;
}
