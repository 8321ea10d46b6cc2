/** What the server keeps of a picture (`fullSide` of its images): a longer side would be sent for nothing. */
export const KEPT_SIDE = 1600;
/** The largest file that it takes as one (`images.MaxBytes`). */
export const MOST_PICTURE_BYTES = 10 * 1024 * 1024;

const READ = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'];

/** Whether the server takes it as it is; what else this browser can show is sent as a JPEG. */
export const goesAsItIs = ({ type, size }: Blob): boolean =>
  READ.includes(type) && size <= MOST_PICTURE_BYTES;

/** The size of a picture whose longest side is at most `longest`. */
export function fitted({ width, height }: { width: number; height: number }, longest: number) {
  const scale = Math.min(1, longest / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** A picture at most that large, on a canvas; as at the server, what one can see through is white. */
export function drawn(bitmap: ImageBitmap, longest: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  const { width, height } = fitted(bitmap, longest);
  canvas.width = width;
  canvas.height = height;
  contextOnWhite(canvas)?.drawImage(bitmap, 0, 0, width, height);
  return canvas;
}

/** The canvas's context, the canvas filled with white: a JPEG would show what is transparent as black. */
export function contextOnWhite(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
  const context = canvas.getContext('2d');
  if (!context) return null;
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  return context;
}

/** The same as a JPEG; null when the browser could not make it. */
export const jpegOf = (bitmap: ImageBitmap, longest: number, quality: number): Promise<Blob | null> =>
  new Promise((done) => drawn(bitmap, longest).toBlob(done, 'image/jpeg', quality));
