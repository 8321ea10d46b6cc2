import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import Cropper, { cropPicture } from './Cropper.tsx';

beforeAll(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true));
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

it('zooms by every turn of the wheel, also by two before the picture is drawn again', async () => {
  vi.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValue(800);
  vi.spyOn(HTMLImageElement.prototype, 'naturalHeight', 'get').mockReturnValue(1000);
  vi.spyOn(HTMLImageElement.prototype, 'decode').mockResolvedValue();
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  const cropper = (
    <Cropper
      file={new File(['jpeg'], 'me.jpg')}
      onCancel={() => {}}
      onDone={() => {}}
      onUnreadable={() => {}}
      shape="photo"
    />
  );
  await act(async () => root.render(cropper));
  const frame = document.querySelector('[role=application]');
  act(() => {
    for (const deltaY of [-200, -200]) frame?.dispatchEvent(new WheelEvent('wheel', { deltaY }));
  });
  const zoom = document.querySelector<HTMLInputElement>('[aria-label=Zoom]');
  expect(Number(zoom?.value)).toBeCloseTo(Math.E, 2);
  act(() => root.unmount());
});
