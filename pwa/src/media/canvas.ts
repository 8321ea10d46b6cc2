/** Parts of the pictures that members share, in the look of the light theme whatever the member's theme is. */

import { canvasIsTrue } from './picture.ts';

/** The colours of the light theme. */
const paper = '#FFF8F2';
export const surface = '#FFFFFF';
export const ink = '#2A1A22';
export const muted = '#6D5A62';
export const ember = '#C4452D';
export const emberSoft = '#FBE3DB';
export const marigold = '#E9A13B';

export const DISPLAY = '"Fraunces", "Fraunces Fallback", serif';
export const TEXT = '"Figtree Variable", "Figtree Fallback", sans-serif';

const NAME = 'Heartward';
const CLAIM = 'Dating with intention. Always free.';

/**
 * Makes the canvas as large as the picture, draws the ground, and resolves when the product's fonts are loaded for the
 * texts, or cannot be. Throws if the browser has no canvas.
 */
export async function beginPicture(
  canvas: HTMLCanvasElement,
  { width, height }: { width: number; height: number },
  headline: string,
  text: string,
): Promise<CanvasRenderingContext2D> {
  // With the texts, because each face is divided into files by its letters.
  await Promise.allSettled([
    document.fonts.load('600 80px "Fraunces"', headline + NAME),
    document.fonts.load('400 40px "Figtree Variable"', text + CLAIM),
  ]);
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser cannot draw pictures');
  drawGround(context, width, height);
  return context;
}

function drawGround(context: CanvasRenderingContext2D, width: number, height: number): void {
  context.fillStyle = paper;
  context.fillRect(0, 0, width, height);
  context.fillStyle = emberSoft;
  disc(context, width * 0.88, height * 0.06, Math.min(width, height) * 0.42);
  context.globalAlpha = 0.25;
  context.fillStyle = marigold;
  disc(context, width * 0.06, height * 0.97, Math.min(width, height) * 0.3);
  context.globalAlpha = 1;
}

export function disc(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

export function drawHeart(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.fillStyle = surface;
  disc(context, x, y, radius);
  context.save();
  context.translate(x, y + radius * 0.04);
  context.scale(radius / 16, radius / 16);
  context.fillStyle = ember;
  context.fill(new Path2D('M0 9C-9 2.5-9-5.5-4.2-6.8-2-7.4-.6-6 0-4.6.6-6 2-7.4 4.2-6.8 9-5.5 9 2.5 0 9Z'));
  context.restore();
}

/** Draws the logo of `ui/Logo.tsx`, whose picture is 32 units wide, around a point. */
export function drawLogo(context: CanvasRenderingContext2D, x: number, y: number, scale: number): void {
  context.save();
  context.translate(x - 16 * scale, y - 16 * scale);
  context.scale(scale, scale);
  context.lineWidth = 2.2;
  context.lineCap = 'round';
  context.strokeStyle = ember;
  const door = new Path2D('M7 28V11a9 9 0 0 1 18 0v17');
  context.fillStyle = emberSoft;
  context.fill(door);
  context.stroke(door);
  context.fillStyle = ember;
  context.fill(
    new Path2D(
      'M16.2 9.5c.5 3.2 4.6 5 4.6 9.3a4.8 4.8 0 0 1-9.6 0c0-2.3 1.2-3.6 2.2-5 .3 1 .7 1.5 1.3 1.9.1-2.3.4-4.5 1.5-6.2Z',
    ),
  );
  context.fillStyle = marigold;
  context.fill(new Path2D('M16.1 17c.3 1.4 1.8 2 1.8 3.7a1.9 1.9 0 0 1-3.8 0c0-1.6 1.4-2.1 2-3.7Z'));
  context.stroke(new Path2D('M4 28h24'));
  context.restore();
}

/** Draws the logo with the product's name and its line below, from x on or around it. */
export function drawSignature(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  scale: number,
  align: 'left' | 'center',
): void {
  context.font = `600 ${34 * scale}px ${DISPLAY}`;
  const logo = 44 * scale;
  const total = logo + 10 * scale + context.measureText(NAME).width;
  const left = align === 'left' ? x : x - total / 2;
  drawLogo(context, left + logo / 2, y - 4 * scale, logo / 32);
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.fillStyle = ink;
  context.fillText(NAME, left + logo + 10 * scale, y);
  context.font = `400 ${22 * scale}px ${TEXT}`;
  context.textAlign = align;
  context.fillStyle = muted;
  context.fillText(CLAIM, x, y + 42 * scale);
}

/** Returns the picture as a file. Rejects if the browser has not the memory for it, or falsifies it. */
export async function toFile(canvas: HTMLCanvasElement, name: string): Promise<File> {
  const blob = canvasIsTrue()
    ? await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'))
    : null;
  if (!blob) throw new Error('This browser cannot make pictures');
  return new File([blob], name, { type: blob.type });
}
