import { beforeEach, expect, it, vi } from 'vitest';
import { pictureOf } from './pictures.ts';

const MB = 1024 * 1024;
/** What the browser makes of a file, and what its JPEG weighs. */
let sees: { width: number; height: number } | null;
let jpegBytes: number;
let drawn: { width: number; height: number; quality: number }[];

beforeEach(() => {
  drawn = [];
  jpegBytes = 1000;
  vi.stubGlobal('createImageBitmap', async () => {
    if (!sees) throw new DOMException('no picture', 'InvalidStateError');
    return { ...sees, close: () => undefined };
  });
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:picture');
  const canvas = vi.spyOn(HTMLCanvasElement.prototype, 'toBlob');
  canvas.mockImplementation(function (this: HTMLCanvasElement, done, type, quality) {
    drawn.push({ width: this.width, height: this.height, quality: quality as number });
    done(ofSize(jpegBytes, type as string));
  });
  vi.spyOn(HTMLCanvasElement.prototype, 'toDataURL').mockReturnValue('data:,');
  return () => vi.unstubAllGlobals();
});

const ofSize = (bytes: number, type = 'image/jpeg') =>
  new File([new Uint8Array(bytes)], 'beach.pic', { type });

it.each([
  ['high', 1600, 1200, 0.9],
  ['low', 1280, 960, 0.8],
] as const)('of %s quality is no larger than what is kept of it', async (quality, width, height, share) => {
  sees = { width: 4000, height: 3000 };
  const { file, blob } = await pictureOf(ofSize(3 * MB), quality);
  expect(drawn).toEqual([{ width, height, quality: share }]);
  expect(file).toMatchObject({ width, height, bytes: 1000, mimeType: 'image/jpeg' });
  expect(blob.size).toBe(1000);
});

it('goes as it is when it is small enough, or gets no smaller', async () => {
  sees = { width: 800, height: 600 };
  expect((await pictureOf(ofSize(5000, 'image/png'), 'high')).file.mimeType).toBe('image/png');
  expect(drawn).toEqual([]);
  sees = { width: 3000, height: 200 };
  expect((await pictureOf(ofSize(900, 'image/png'), 'high')).file).toMatchObject({ bytes: 900, width: 1600 });
});

it('is drawn anew where the server could not take it as it is', async () => {
  sees = { width: 800, height: 600 };
  expect((await pictureOf(ofSize(12 * MB, 'image/png'), 'high')).file).toMatchObject({
    bytes: 1000,
    width: 800,
  });
  jpegBytes = 7000;
  expect((await pictureOf(ofSize(5000, 'image/avif'), 'high')).file.mimeType).toBe('image/jpeg');
});

it('is refused at once when it stays larger than the server takes', async () => {
  const large = 'beach.pic is larger than 10 MB. Please choose a smaller one.';
  sees = null;
  await expect(pictureOf(ofSize(10 * MB + 1, 'image/heic'), 'high')).rejects.toThrow(large);
  expect((await pictureOf(ofSize(10 * MB, 'image/heic'), 'high')).file.mimeType).toBe('image/heic');
  sees = { width: 1600, height: 1600 };
  jpegBytes = 10 * MB + 1;
  await expect(pictureOf(ofSize(20 * MB), 'high')).rejects.toThrow(large);
});

it('is refused at once when it is none', async () => {
  sees = null;
  await expect(pictureOf(ofSize(900, 'text/plain'), 'high')).rejects.toThrow('beach.pic is no picture.');
  await expect(pictureOf(ofSize(0), 'high')).rejects.toThrow('beach.pic is no picture.');
});
