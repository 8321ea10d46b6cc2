import { beforeEach, expect, it, vi } from 'vitest';
import { trueContext } from '@/media/testkit.ts';
import { makePicture } from './sentPictures.ts';

const MB = 1024 * 1024;
/** The decoded size of a file, and the bytes of its JPEG. */
let decodedSize: { width: number; height: number } | null;
let jpegBytes: number;
let drawnSizes: { width: number; height: number; quality: number }[];

beforeEach(() => {
  drawnSizes = [];
  jpegBytes = 1000;
  vi.stubGlobal('createImageBitmap', async () => {
    if (!decodedSize) throw new DOMException('no picture', 'InvalidStateError');
    return { ...decodedSize, close: () => undefined };
  });
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:picture');
  const canvas = vi.spyOn(HTMLCanvasElement.prototype, 'toBlob');
  canvas.mockImplementation(function (this: HTMLCanvasElement, done, type, quality) {
    drawnSizes.push({ width: this.width, height: this.height, quality: quality as number });
    done(ofSize(jpegBytes, type as string));
  });
  vi.spyOn(HTMLCanvasElement.prototype, 'toDataURL').mockReturnValue('data:,');
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(trueContext() as never);
  return () => vi.unstubAllGlobals();
});

const ofSize = (bytes: number, type = 'image/jpeg') =>
  new File([new Uint8Array(bytes)], 'beach.pic', { type });

it.each([
  ['high', 1600, 1200, 0.9],
  ['low', 1280, 960, 0.8],
] as const)(
  'a picture of %s quality is scaled down to the size that the server stores',
  async (quality, width, height, jpegQuality) => {
    decodedSize = { width: 4000, height: 3000 };
    const { file, blob } = await makePicture(ofSize(3 * MB), quality);
    expect(drawnSizes).toEqual([{ width, height, quality: jpegQuality }]);
    expect(file).toMatchObject({ width, height, bytes: 1000, mimeType: 'image/jpeg' });
    expect(blob.size).toBe(1000);
  },
);

it('a picture is sent unchanged when it is small enough or a JPEG would not be smaller', async () => {
  decodedSize = { width: 800, height: 600 };
  expect((await makePicture(ofSize(5000, 'image/png'), 'high')).file.mimeType).toBe('image/png');
  expect(drawnSizes).toEqual([]);
  decodedSize = { width: 3000, height: 200 };
  expect((await makePicture(ofSize(900, 'image/png'), 'high')).file).toMatchObject({
    bytes: 900,
    width: 1600,
  });
});

it('a picture is encoded again when the server would reject it', async () => {
  decodedSize = { width: 800, height: 600 };
  expect((await makePicture(ofSize(12 * MB, 'image/png'), 'high')).file).toMatchObject({
    bytes: 1000,
    width: 800,
  });
  jpegBytes = 7000;
  expect((await makePicture(ofSize(5000, 'image/avif'), 'high')).file.mimeType).toBe('image/jpeg');
});

it.each([
  ['image/jpeg', 'ftypheic'], // as some phones name it
  ['', 'ftypmif1'], // as some systems leave it unnamed
])(
  'a HEIC picture that the browser cannot decode is refused before the upload, called %o',
  async (type, head) => {
    decodedSize = null;
    const file = new File([`\0\0\0\x18${head}\0\0\0\0`], 'IMG_1.heic', { type });
    await expect(makePicture(file, 'high')).rejects.toThrow(
      "IMG_1.heic is a HEIC picture, which this browser can't read.",
    );
  },
);

it('a picture is rejected at once when it stays over the server’s limit', async () => {
  const large = 'beach.pic is larger than 10 MB. Please choose a smaller one.';
  decodedSize = null;
  await expect(makePicture(ofSize(10 * MB + 1, 'image/heic'), 'high')).rejects.toThrow(large);
  expect((await makePicture(ofSize(10 * MB, 'image/heic'), 'high')).file.mimeType).toBe('image/heic');
  decodedSize = { width: 1600, height: 1600 };
  jpegBytes = 10 * MB + 1;
  await expect(makePicture(ofSize(20 * MB), 'high')).rejects.toThrow(large);
});

it('a file that is not a picture is rejected at once', async () => {
  decodedSize = null;
  await expect(makePicture(ofSize(900, 'text/plain'), 'high')).rejects.toThrow("beach.pic isn't a picture.");
  await expect(makePicture(ofSize(0), 'high')).rejects.toThrow("beach.pic isn't a picture.");
});

it('a browser that returns noise makes no placeholder', async () => {
  vi.resetModules(); // a new look at the canvas
  const noise = (_x: number, _y: number, width: number, height: number) => ({
    data: Array.from({ length: width * height * 4 }, (_, index) => (index * 73) % 256),
  });
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
    ...trueContext(),
    getImageData: noise,
  } as never);
  const { placeholderOf } = await import('./sentPictures.ts');
  expect(placeholderOf({ width: 40, height: 30 } as ImageBitmap)).toBe('');
});
