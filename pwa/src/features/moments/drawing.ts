/** Draws the picture of a moment on a canvas. */
import {
  beginPicture,
  DISPLAY,
  disc,
  drawHeart,
  drawLogo,
  drawSignature,
  ember,
  emberSoft,
  ink,
  marigold,
  muted,
  surface,
  TEXT,
  toFile,
} from '@/media/canvas.ts';
import { drawText } from '@/media/canvasText.ts';

/** The sizes of pictures, in px: for stories, and for posts. */
const sizes = {
  story: { width: 1080, height: 1920 },
  post: { width: 1200, height: 630 },
} as const;
export type PictureSize = keyof typeof sizes;

/** What a picture says. It never shows a photo. */
export type PictureContent = {
  kind: 'match' | 'badge' | 'referral';
  headline: string;
  line: string;
};

/** Draws the content when the product's fonts are loaded, or cannot be. Throws if the browser has no canvas. */
async function drawPicture(
  canvas: HTMLCanvasElement,
  size: PictureSize,
  content: PictureContent,
): Promise<void> {
  const { width, height } = sizes[size];
  const context = await beginPicture(canvas, sizes[size], content.headline, content.line);
  if (size === 'story') drawStory(context, width, height, content);
  else drawPost(context, width, height, content);
}

function drawStory(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  content: PictureContent,
): void {
  drawEmblem(context, width / 2, height * 0.36, 250, content);
  const bottom = drawText(context, content.headline, {
    font: `600 92px ${DISPLAY}`,
    color: ink,
    x: width / 2,
    y: height * 0.575,
    width: width - 160,
    line: 108,
    mostLines: 3,
    align: 'center',
  });
  drawText(context, content.line, {
    font: `400 46px ${TEXT}`,
    color: muted,
    x: width / 2,
    y: bottom + 28,
    width: width - 200,
    line: 64,
    mostLines: 3,
    align: 'center',
  });
  drawSignature(context, width / 2, height - 190, 1.5, 'center');
}

function drawPost(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  content: PictureContent,
): void {
  drawEmblem(context, 285, height / 2, 165, content);
  const left = 545;
  const bottom = drawText(context, content.headline, {
    font: `600 64px ${DISPLAY}`,
    color: ink,
    x: left,
    y: 200,
    width: width - left - 70,
    line: 76,
    mostLines: 3,
    align: 'start',
  });
  drawText(context, content.line, {
    font: `400 32px ${TEXT}`,
    color: muted,
    x: left,
    y: bottom + 16,
    width: width - left - 70,
    line: 44,
    mostLines: 2,
    align: 'start',
  });
  drawSignature(context, left, height - 90, 1, 'left');
}

/** Draws what happened: two discs for a match, a medal, or the open door. */
function drawEmblem(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  { kind }: PictureContent,
): void {
  if (kind === 'match') {
    context.fillStyle = ember;
    disc(context, x - radius * 0.42, y, radius * 0.66);
    context.globalCompositeOperation = 'multiply';
    context.fillStyle = marigold;
    disc(context, x + radius * 0.42, y, radius * 0.66);
    context.globalCompositeOperation = 'source-over';
    drawHeart(context, x, y, radius * 0.3);
  } else if (kind === 'badge') {
    context.fillStyle = emberSoft;
    for (const angle of [0, Math.PI / 6, Math.PI / 3]) {
      context.save();
      context.translate(x, y);
      context.rotate(angle);
      context.beginPath();
      context.roundRect(-radius * 0.82, -radius * 0.82, radius * 1.64, radius * 1.64, radius * 0.4);
      context.fill();
      context.restore();
    }
    context.fillStyle = surface;
    disc(context, x, y, radius * 0.66);
    drawLogo(context, x, y, (radius * 0.6) / 16);
  } else {
    context.fillStyle = surface;
    disc(context, x, y, radius);
    drawLogo(context, x, y, (radius * 0.88) / 16);
  }
}

/**
 * Draws the picture and returns it as a file. Rejects if the browser cannot: it has no canvas, or not the memory, and
 * then returns no content.
 */
export async function makeFile(content: PictureContent, size: PictureSize): Promise<File> {
  const canvas = document.createElement('canvas');
  await drawPicture(canvas, size, content);
  const file = await toFile(canvas, `heartward-${content.kind}-${size}.png`);
  // Safari keeps the memory of a canvas otherwise.
  canvas.width = 0;
  return file;
}
