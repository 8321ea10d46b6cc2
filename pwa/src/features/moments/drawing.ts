/** Draws the picture of a moment on a canvas. */
import {
  beginPicture,
  DISPLAY,
  disc,
  drawHeart,
  drawLogo,
  drawSignature,
  drawText,
  ember,
  emberSoft,
  ink,
  marigold,
  muted,
  surface,
  TEXT,
} from '@/media/canvas.ts';

/** The sizes of pictures, in px: for stories, and for posts. */
export const sizes = {
  story: { width: 1080, height: 1920 },
  post: { width: 1200, height: 630 },
} as const;
export type PictureSize = keyof typeof sizes;

/** What a picture says and shows. `photo` is the other member's; undefined without their consent. */
export type PictureContent = {
  kind: 'match' | 'badge' | 'referral';
  headline: string;
  line: string;
  photo?: CanvasImageSource & { width: number; height: number };
};

/** Draws the content and resolves when the product's fonts were there. Throws if the browser has no canvas. */
export async function drawPicture(
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
    align: 'center',
  });
  drawText(context, content.line, {
    font: `400 46px ${TEXT}`,
    color: muted,
    x: width / 2,
    y: bottom + 28,
    width: width - 200,
    line: 64,
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
    align: 'left',
  });
  drawText(context, content.line, {
    font: `400 32px ${TEXT}`,
    color: muted,
    x: left,
    y: bottom + 16,
    width: width - left - 70,
    line: 44,
    align: 'left',
  });
  drawSignature(context, left, height - 90, 1, 'left');
}

/** Draws what happened: the other member or two discs for a match, a medal, or the open door. */
function drawEmblem(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  { kind, photo }: PictureContent,
): void {
  if (kind === 'match' && photo) {
    drawRound(context, photo, x, y, radius);
    drawHeart(context, x + radius * 0.72, y + radius * 0.72, radius * 0.3);
  } else if (kind === 'match') {
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
    drawLogo(context, x, y, (radius * 0.86) / 16);
  } else {
    context.fillStyle = surface;
    disc(context, x, y, radius);
    drawLogo(context, x, y, (radius * 1.1) / 16);
  }
}

/** Draws a picture in a circle, cut to a square in its middle. */
function drawRound(
  context: CanvasRenderingContext2D,
  photo: NonNullable<PictureContent['photo']>,
  x: number,
  y: number,
  radius: number,
): void {
  const side = Math.min(photo.width, photo.height);
  context.save();
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.clip();
  context.drawImage(
    photo,
    (photo.width - side) / 2,
    (photo.height - side) / 2,
    side,
    side,
    x - radius,
    y - radius,
    radius * 2,
    radius * 2,
  );
  context.restore();
}
