import { useEffect, useRef } from 'react';
import type { Moment } from '@/api/types.ts';
import { toFile } from '@/media/canvas.ts';
import { useMember } from '@/session/session.ts';
import { contentOf, showsPeer } from './content.ts';
import { drawPicture, type PictureSize, sizes } from './drawing.ts';
import { storePicture } from './moments.ts';

/** Returns the other member's photo for the picture; undefined without consent, and if it cannot be loaded. */
async function photoOf(moment: Moment): Promise<ImageBitmap | undefined> {
  const url = moment.peer?.profileImageUrl;
  if (!url || !showsPeer(moment)) return undefined;
  const response = await fetch(url.replace('/thumb.', '/full.')).catch(() => undefined);
  return response?.ok ? createImageBitmap(await response.blob()) : undefined;
}

/** Draws the picture of a moment in one of the sizes. */
async function draw(
  canvas: HTMLCanvasElement,
  size: PictureSize,
  moment: Moment,
  myFirstName: string,
): Promise<void> {
  const photo = await photoOf(moment);
  await drawPicture(canvas, size, { ...contentOf(moment, myFirstName), photo });
  photo?.close();
}

/** Returns the picture of a moment as a file. */
export async function makeFile(moment: Moment, size: PictureSize, myFirstName: string): Promise<File> {
  const canvas = document.createElement('canvas');
  await draw(canvas, size, moment, myFirstName);
  return toFile(canvas, `heartward-${moment.momentType}-${size}.png`);
}

/** The picture for posts. It is stored on the server once, without the other member. */
export function Picture({ moment }: { moment: Moment }) {
  const { firstName } = useMember();
  const ref = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (ref.current) void draw(ref.current, 'post', moment, firstName).catch(console.warn);
    if (moment.imageUrl) return;
    // The stored picture never shows the other member, who may take the consent back.
    const own: Moment = { ...moment, consent: 'none' };
    storePicture(moment.id, () => makeFile(own, 'post', firstName));
  }, [moment, firstName]);
  return (
    <canvas
      aria-label={`Picture: ${contentOf(moment, firstName).headline}`}
      className="aspect-[1200/630] w-full bg-raised"
      height={sizes.post.height}
      ref={ref}
      role="img"
      width={sizes.post.width}
    />
  );
}
