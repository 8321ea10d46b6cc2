import { beforeEach, expect, it, vi } from 'vitest';
import { trueContext } from './testkit.ts';

beforeEach(() => {
  vi.resetModules();
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(new Blob(['x'])));
  return () => vi.restoreAllMocks();
});

/** Makes canvases return the data, whatever was drawn. */
const falsify = (data: (length: number) => number[]) =>
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
    ...trueContext(),
    getImageData: (_x: number, _y: number, width: number, height: number) => ({
      data: data(width * height * 4),
    }),
  } as never);

const photo = new File([new Uint8Array(1000)], 'beach.jpg', { type: 'image/jpeg' });
const bitmap = { width: 4000, height: 3000 } as ImageBitmap;

it('a picture is scaled down by a browser that draws truly', async () => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(trueContext() as never);
  const { canvasIsTrue, shrink } = await import('./picture.ts');
  expect(canvasIsTrue()).toBe(true);
  expect((await shrink(photo, bitmap, 1600, 0.9)).size).toBe(1);
});

it.each([
  ['noise', (length: number) => Array.from({ length }, (_, index) => (index * 73) % 256)],
  ['white', (length: number) => Array<number>(length).fill(255)],
])('a picture is sent unchanged by a browser that returns %s', async (_, data) => {
  falsify(data);
  const { canvasIsTrue, shrink } = await import('./picture.ts');
  expect(canvasIsTrue()).toBe(false);
  expect(await shrink(photo, bitmap, 1600, 0.9)).toBe(photo);
});

it('a browser without canvases sends pictures unchanged', async () => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  const { shrink } = await import('./picture.ts');
  expect(await shrink(photo, bitmap, 1600, 0.9)).toBe(photo);
});

it('a picture of which the browser has decoded nothing is sent unchanged', async () => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(trueContext() as never);
  const { canvasIsTrue, shrink } = await import('./picture.ts');
  expect(canvasIsTrue()).toBe(true);
  falsify((length) => Array<number>(length).fill(0));
  expect(await shrink(photo, bitmap, 1600, 0.9)).toBe(photo);
  const png = new File([new Uint8Array(1000)], 'beach.png', { type: 'image/png' });
  expect(await shrink(png, bitmap, 1600, 0.9), 'it may be a JPEG that is called .png').toBe(png);
});
