/** Pictures on their way into a message: made smaller on the device, with a blurred shadow of a few bytes. */
import { v7 as uuidv7 } from 'uuid';
import type { NewFile } from '@/offline/outbox.ts';
import type { LocalAttachment } from '@/offline/rows.ts';

export const MOST_PICTURES = 10;
const MOST_BYTES = 25 * 1024 * 1024;
const LONGEST_SIDE = { high: 2048, low: 1280 };
const QUALITY = { high: 0.9, low: 0.8 };
const SHADOW_PX = 16;

export type Picture = NewFile & { url: string };

/** A file as a picture to be sent; null when it is none, or too large. */
export async function pictureOf(file: File, quality: 'high' | 'low'): Promise<Picture | null> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null);
  // Formats that this browser cannot read (a HEIC of a phone) go as they are: the server can, or says why not.
  if (!bitmap) {
    const known = file.type.startsWith('image/') && file.size > 0 && file.size <= MOST_BYTES;
    return known ? asPicture(file, { width: null, height: null, placeholder: '' }) : null;
  }
  try {
    const longest = LONGEST_SIDE[quality];
    const scale = Math.min(1, longest / Math.max(bitmap.width, bitmap.height));
    const size = { width: Math.round(bitmap.width * scale), height: Math.round(bitmap.height * scale) };
    const smaller = scale < 1 ? await drawn(bitmap, size, QUALITY[quality]) : null;
    const blob = smaller && smaller.size < file.size ? smaller : file;
    if (blob.size > MOST_BYTES) return null;
    return asPicture(blob, { ...size, placeholder: shadowOf(bitmap) });
  } finally {
    bitmap.close();
  }
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

function canvasOf(bitmap: ImageBitmap, width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, width);
  canvas.height = Math.max(1, height);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function drawn(bitmap: ImageBitmap, { width, height }: { width: number; height: number }, quality: number) {
  const canvas = canvasOf(bitmap, width, height);
  return new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', quality));
}

/** So small that it travels in the row itself. */
export function shadowOf(bitmap: ImageBitmap): string {
  const scale = SHADOW_PX / Math.max(bitmap.width, bitmap.height);
  return canvasOf(bitmap, Math.round(bitmap.width * scale), Math.round(bitmap.height * scale)).toDataURL(
    'image/jpeg',
    0.6,
  );
}
