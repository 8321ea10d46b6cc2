/** The longest side that the server stores (`fullSide` in its images package). */
export const MAX_SIDE_PX = 1600;
/** The largest picture file that the server accepts (`images.MaxBytes`). */
export const MAX_PICTURE_BYTES = 10 * 1024 * 1024;

const ACCEPTED_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'];

/** Whether the server accepts the file unchanged; other pictures are sent as JPEG. */
const isAcceptedAsIs = ({ type, size }: Blob): boolean =>
  ACCEPTED_TYPES.includes(type) && size <= MAX_PICTURE_BYTES;

/**
 * Whether the file begins as a HEIC picture does. Its type does not tell: some systems name none for it, and some phones store
 * such pictures as `.jpg`.
 */
export async function isHeic(file: Blob): Promise<boolean> {
  const brand = new TextDecoder('latin1').decode(await file.slice(4, 12).arrayBuffer());
  return /^ftyp(hei[cmsx]|hev[cmsx]|mif1|msf1)$/.test(brand);
}

let drawsTruly: boolean | undefined;

/**
 * Whether a canvas returns what was drawn on it. Browsers that resist fingerprinting (Tor, Mullvad, LibreWolf) return noise,
 * without an error: a picture from a canvas would be stored as stripes.
 */
export function canvasIsTrue(): boolean {
  drawsTruly ??= hasDrawnColour();
  return drawsTruly;
}

function hasDrawnColour(): boolean {
  const side = 16;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = side;
  const context = canvas.getContext('2d');
  if (!context) return false;
  context.fillStyle = '#3a7557';
  context.fillRect(0, 0, side, side);
  const { data } = context.getImageData(0, 0, side, side);
  return data.every((value, index) => value === [0x3a, 0x75, 0x57, 0xff][index % 4]);
}

/**
 * Whether the browser has decoded the picture. WebKit decodes nothing of a JPEG without an end marker, as panoramas of some
 * phones are, and reports no error: drawn on a canvas it would be stored as a white picture. The server reads such files. The type
 * does not tell which they are, because some are called .png. A picture that is transparent everywhere counts as not decoded.
 */
export function isDecoded(picture: ImageBitmap | HTMLImageElement): boolean {
  const side = 16;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = side;
  const context = canvas.getContext('2d');
  context?.drawImage(picture, 0, 0, side, side);
  const opacities = context?.getImageData(0, 0, side, side).data.filter((_, index) => index % 4 === 3);
  return opacities?.some((opacity) => opacity > 0) ?? false;
}

/** Scales a size down to a longest side of at most `longest` px. */
export function fitSize({ width, height }: { width: number; height: number }, longest: number) {
  const scale = Math.min(1, longest / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Draws a picture scaled down on a canvas; transparent parts become white, as on the server. */
export function drawScaled(bitmap: ImageBitmap, longest: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  const { width, height } = fitSize(bitmap, longest);
  canvas.width = width;
  canvas.height = height;
  contextOnWhite(canvas)?.drawImage(bitmap, 0, 0, width, height);
  return canvas;
}

/** Returns the canvas's context after filling it with white: transparent parts would be black in a JPEG. */
export function contextOnWhite(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
  const context = canvas.getContext('2d');
  if (!context) return null;
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  return context;
}

/**
 * Returns the file as it is sent: as JPEG if the server does not accept it unchanged, or if it is larger than `longest`
 * px and the JPEG is the smaller file. A browser that falsifies pictures or did not decode this one sends the file unchanged.
 */
export async function shrink(
  file: Blob,
  bitmap: ImageBitmap,
  longest: number,
  quality: number,
): Promise<Blob> {
  if (!canvasIsTrue() || !isDecoded(bitmap)) return file;
  const { width, height } = fitSize(bitmap, longest);
  const acceptedAsIs = isAcceptedAsIs(file);
  const isTooLarge = width < bitmap.width || height < bitmap.height;
  const jpeg = isTooLarge || !acceptedAsIs ? await toJpeg(bitmap, longest, quality) : null;
  return jpeg && (!acceptedAsIs || jpeg.size < file.size) ? jpeg : file;
}

/** Scales a picture down and encodes it as JPEG; null if the browser cannot. */
const toJpeg = (bitmap: ImageBitmap, longest: number, quality: number): Promise<Blob | null> =>
  new Promise((done) => drawScaled(bitmap, longest).toBlob(done, 'image/jpeg', quality));
