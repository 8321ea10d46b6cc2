/** Prepares pictures for a message: scales them down and makes a blurred placeholder of a few bytes. */

import { v7 as uuidv7 } from 'uuid';
import { MemberError } from '@/api/errors.ts';
import { MAX_SEND_MESSAGE_FILE_IDS } from '@/api/limits.gen.ts';
import {
  canvasIsTrue,
  drawScaled,
  fitSize,
  isDecoded,
  isHeic,
  MAX_PICTURE_BYTES,
  MAX_SIDE_PX,
  shrink,
} from '@/media/picture.ts';
import type { NewFile } from '@/offline/outbox/outbox.ts';
import type { LocalAttachment } from '@/offline/store/rows.ts';

export const MAX_PICTURES = MAX_SEND_MESSAGE_FILE_IDS;
const SIDE_PX = { high: MAX_SIDE_PX, low: 1280 };
const QUALITY = { high: 0.9, low: 0.8 };
const PLACEHOLDER_PX = 16;

export type Picture = NewFile & { url: string };

/** Prepares a file for sending. Throws a MemberError if it is not a picture or stays over the server's limit. */
export async function makePicture(file: File, quality: 'high' | 'low'): Promise<Picture> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null);
  // A format that this browser cannot decode is sent unchanged, and the server decodes or rejects it. It never decodes HEIC:
  // that is said before the upload.
  if (!bitmap) {
    if (await isHeic(file))
      throw new MemberError(
        `${file.name} is a HEIC picture, which this browser can't read. Please choose a JPEG, PNG or WebP, for example a screenshot of it.`,
      );
    if (!file.type.startsWith('image/') || file.size === 0)
      throw new MemberError(`${file.name} isn't a picture.`);
    return toPicture(checkSize(file, file), { width: null, height: null, placeholder: '' });
  }
  try {
    const size = fitSize(bitmap, SIDE_PX[quality]);
    const blob = await shrink(file, bitmap, SIDE_PX[quality], QUALITY[quality]);
    return toPicture(checkSize(blob, file), {
      ...size,
      placeholder: isDecoded(bitmap) ? placeholderOf(bitmap) : '',
    });
  } finally {
    bitmap.close();
  }
}

function checkSize(blob: Blob, { name }: File): Blob {
  if (blob.size > MAX_PICTURE_BYTES)
    throw new MemberError(`${name} is larger than 10 MB. Please choose a smaller one.`);
  return blob;
}

/** What is known of a picture before it is loaded. */
export type ImageInfo = Pick<LocalAttachment, 'width' | 'height' | 'placeholder'>;

function toPicture(blob: Blob, info: ImageInfo): Picture {
  const file: LocalAttachment = {
    ...info,
    localId: uuidv7(),
    kind: 'image',
    mimeType: blob.type,
    bytes: blob.size,
    durationMs: null,
    waveform: [],
  };
  return { file, blob, poster: null, url: URL.createObjectURL(blob) };
}

/** Returns the blurred placeholder as a data URL, stored in the message's row; '' if the browser falsifies canvases. */
export const placeholderOf = (bitmap: ImageBitmap): string =>
  canvasIsTrue() ? drawScaled(bitmap, PLACEHOLDER_PX).toDataURL('image/jpeg', 0.6) : '';
