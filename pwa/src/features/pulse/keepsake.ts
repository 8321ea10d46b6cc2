/** The picture that a couple keeps of its graduation. */
import type { Together } from '@/api/types.ts';
import {
  beginPicture,
  DISPLAY,
  drawHeart,
  drawSignature,
  drawText,
  ink,
  muted,
  surface,
  TEXT,
} from '@/media/canvas.ts';
import { daysSince } from './day.ts';

/** In px: upright, for a frame or a story. */
export const keepsakeSize = { width: 1080, height: 1350 };

/** Longer words do not fit below the names. */
const MAX_WORDS = 220;

/** Returns the words of the picture. */
export function keepsakeContent(
  { partner, matchedAt, graduatedAt, legacyMessage }: Together,
  myFirstName: string,
  now = new Date(),
): { names: string; days: string; words: string } {
  const count = (days: number) => `${days.toLocaleString('en-US')} ${days === 1 ? 'day' : 'days'}`;
  const words = legacyMessage.replaceAll(/\s+/g, ' ').trim();
  return {
    names: `${myFirstName} & ${partner.firstName}`,
    days: `${count(daysSince(matchedAt, now))} since we met here, ${count(daysSince(graduatedAt, now))} since we graduated`,
    words: words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS).replace(/\s\S*$/, '')} …` : words,
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
  drawHeart(context, middle, 250, 84);
  const centred = { x: middle, width: width - 320, align: 'center' } as const;
  const belowNames = drawText(context, names, {
    ...centred,
    font: `600 84px ${DISPLAY}`,
    color: ink,
    y: 420,
    line: 100,
  });
  const belowDays = drawText(context, days, {
    ...centred,
    font: `400 38px ${TEXT}`,
    color: muted,
    y: belowNames + 6,
    line: 54,
  });
  drawText(context, words && `“${words}”`, {
    ...centred,
    font: `400 42px ${DISPLAY}`,
    color: ink,
    y: belowDays + 70,
    line: 60,
  });
  drawSignature(context, middle, height - 200, 1.2, 'center');
}
