/** The picture that a couple keeps of its graduation. */

import type { Together } from '@/api/types.ts';
import { formatCount } from '@/base/format.ts';
import {
  beginPicture,
  DISPLAY,
  drawHeart,
  drawSignature,
  ink,
  muted,
  surface,
  TEXT,
} from '@/media/canvas.ts';
import { drawText, isolate } from '@/media/canvasText.ts';
import { daysSince } from './day.ts';

/** In px: upright, for a frame or a story. */
export const keepsakeSize = { width: 1080, height: 1350 };

/** In characters: a longer message does not fit below the names. */
const MAX_MESSAGE_LENGTH = 160;

/** Returns the texts of the picture. */
export function keepsakeContent(
  { partner, matchedAt, graduatedAt, legacyMessage }: Together,
  myFirstName: string,
  now = new Date(),
): { names: string; days: string[]; words: string } {
  const since = (at: string, what: string) => {
    const days = daysSince(at, now);
    return days === 0
      ? `We ${what} today`
      : `${formatCount(days)} ${days === 1 ? 'day' : 'days'} since we ${what}`;
  };
  const words = legacyMessage.replaceAll(/\s+/g, ' ').trim();
  return {
    names: `${isolate(myFirstName)} & ${isolate(partner.firstName)}`,
    days: [since(matchedAt, 'met here'), since(graduatedAt, 'graduated')],
    words:
      words.length > MAX_MESSAGE_LENGTH
        ? `${words.slice(0, MAX_MESSAGE_LENGTH).replace(/\s\S*$/, '')} …`
        : words,
  };
}

/** Draws the picture. Throws if the browser has no canvas. */
export async function drawKeepsake(
  canvas: HTMLCanvasElement,
  { names, days, words }: ReturnType<typeof keepsakeContent>,
): Promise<void> {
  const { width, height } = keepsakeSize;
  const context = await beginPicture(canvas, keepsakeSize, names, `${days}${words}`);
  const middle = width / 2;
  context.fillStyle = surface;
  context.beginPath();
  context.roundRect(80, 80, width - 160, height - 160, 48);
  context.fill();
  drawHeart(context, middle, 270, 120);

  const size = names.length > 22 ? 64 : 96;
  const centred = { x: middle, width: width - 280, align: 'center' } as const;
  /** Draws the texts from y on, and returns the y below them. */
  function drawTexts(y: number): number {
    const name = { font: `600 ${size}px ${DISPLAY}`, color: ink, line: size * 1.2 };
    let below = drawText(context, names, { ...centred, ...name, y }) + 4;
    for (const line of days)
      below = drawText(context, line, {
        ...centred,
        font: `400 40px ${TEXT}`,
        color: muted,
        y: below,
        line: 56,
      });
    if (!words) return below;
    const quote = { font: `400 44px ${DISPLAY}`, color: ink, line: 60 };
    return drawText(context, `“${words}”`, { ...centred, ...quote, y: below + 50 });
  }
  // Once without colour, to know the height: the texts stand in the middle between the heart and the signature.
  context.globalAlpha = 0;
  const textHeight = drawTexts(0);
  context.globalAlpha = 1;
  drawTexts(780 - (textHeight - size) / 2);
  drawSignature(context, middle, height - 190, 1.2, 'center');
}
