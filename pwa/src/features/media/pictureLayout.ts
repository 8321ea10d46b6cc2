import type { Attachment } from '@/api/types.ts';

/** Returns the name of a picture, such as "Ann’s picture 2 of 3". */
export const pictureLabel = (possessive: string, index: number, count: number) =>
  `${possessive} picture${count === 1 ? '' : ` ${index + 1} of ${count}`}`;

/** Returns the classes of the grid of a message's pictures. */
export const gridColumns = (count: number) =>
  count === 1 ? 'grid-cols-1' : count > 4 ? 'grid-cols-3' : 'grid-cols-2';

/** Of three pictures the first is as wide as the two below it. */
export const isWide = (count: number, index: number) => count === 3 && index === 0;

/** Returns the aspect ratio of a picture in its grid; that of a single one is clamped to 0.7–1.9. */
export function tileRatio(files: Attachment[], index: number): number {
  const [first] = files;
  if (files.length > 1) return isWide(files.length, index) ? 1.9 : 1;
  if (!first?.width || !first.height) return 1;
  return Math.min(1.9, Math.max(0.7, first.width / first.height));
}
