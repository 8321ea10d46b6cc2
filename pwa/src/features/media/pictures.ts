/** Pictures on their way into a message: made smaller on the device, with a blurred shadow of a few bytes. */
import { v7 as uuidv7 } from 'uuid';
import { drawn, fitted, goesAsItIs, jpegOf, KEPT_SIDE, MOST_PICTURE_BYTES } from '@/media/picture.ts';
import type { NewFile } from '@/offline/outbox/outbox.ts';
import type { LocalAttachment } from '@/offline/store/rows.ts';

export const MOST_PICTURES = 10;
const LONGEST_SIDE = { high: KEPT_SIDE, low: 1280 };
const QUALITY = { high: 0.9, low: 0.8 };
const SHADOW_PX = 16;

export type Picture = NewFile & { url: string };

/** Why a file does not go at all, in words for the member: a refusal after the upload would help nobody. */
export class PictureRefused extends Error {}

/** A file as a picture to be sent. Throws PictureRefused when it is none, or stays larger than the server takes. */
export async function pictureOf(file: File, quality: 'high' | 'low'): Promise<Picture> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null);
  // Formats that this browser cannot read (a HEIC of a phone) go as they are: the server can, or says why not.
  if (!bitmap) {
    if (!file.type.startsWith('image/') || file.size === 0)
      throw new PictureRefused(`${file.name} is no picture.`);
    return asPicture(within(file, file), { width: null, height: null, placeholder: '' });
  }
  try {
    const size = fitted(bitmap, LONGEST_SIDE[quality]);
    const asItIs = goesAsItIs(file);
    const tooMany = size.width < bitmap.width || size.height < bitmap.height;
    const made = tooMany || !asItIs ? await jpegOf(bitmap, LONGEST_SIDE[quality], QUALITY[quality]) : null;
    const blob = made && (!asItIs || made.size < file.size) ? made : file;
    return asPicture(within(blob, file), { ...size, placeholder: shadowOf(bitmap) });
  } finally {
    bitmap.close();
  }
}

function within(blob: Blob, { name }: File): Blob {
  if (blob.size > MOST_PICTURE_BYTES)
    throw new PictureRefused(`${name} is larger than 10 MB. Please choose a smaller one.`);
  return blob;
}

type Look = Pick<LocalAttachment, 'width' | 'height' | 'placeholder'>;

function asPicture(blob: Blob, look: Look): Picture {
  const file: LocalAttachment = {
    ...look,
    localId: uuidv7(),
    kind: 'image',
    mimeType: blob.type,
    bytes: blob.size,
    durationMs: null,
    waveform: [],
  };
  return { file, blob, poster: null, url: URL.createObjectURL(blob) };
}

/** So small that it travels in the row itself. */
export const shadowOf = (bitmap: ImageBitmap): string =>
  drawn(bitmap, SHADOW_PX).toDataURL('image/jpeg', 0.6);
