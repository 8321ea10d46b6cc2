import { afterEach, expect, it, vi } from 'vitest';
import { cropPicture } from './Cropper.tsx';

afterEach(() => vi.restoreAllMocks());

it('draws the cropped picture on white, because transparent parts would be black in a JPEG', async () => {
  const operations: string[] = [];
  const context = {
    fillStyle: '',
    fillRect: (...area: number[]) => operations.push(`${context.fillStyle} ${area.join(' ')}`),
    drawImage: () => operations.push('picture'),
  };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(new Blob(['jpeg'])));
  const image = { naturalWidth: 800, naturalHeight: 1000 } as HTMLImageElement;
  expect(await cropPicture(image, 4 / 5, { x: 400, y: 500, zoom: 1 })).not.toBeNull();
  expect(operations).toEqual(['white 0 0 800 1000', 'picture']);
});
