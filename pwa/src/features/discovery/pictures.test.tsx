import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import type { Photo } from '@/api/types.ts';
import { pictureState, usePrefetchedPictures } from './pictures.ts';

const photo: Photo = {
  id: 'a',
  caption: '',
  width: 4,
  height: 5,
  placeholder: '',
  thumbUrl: '/t',
  url: '/u',
};

function Deck() {
  usePrefetchedPictures([photo]);
  return pictureState(photo);
}

it('a photo of the next cards that could not be fetched is fetched again until it is loaded', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers();
  let failures = 6; // the photo and its thumbnail, three times
  const requested: string[] = [];
  vi.stubGlobal(
    'Image',
    class {
      src = '';
      async decode() {
        requested.push(this.src);
        failures -= 1;
        if (failures >= 0) throw new Error('offline');
      }
    },
  );
  const page = document.createElement('div');
  const root = createRoot(page);
  await act(async () => root.render(<Deck />));
  expect(page.textContent).toBe('none');
  await act(() => vi.advanceTimersByTimeAsync(2000));
  await act(async () => void dispatchEvent(new Event('online')));
  expect(page.textContent).toBe('none');
  await act(() => vi.advanceTimersByTimeAsync(8000));
  expect(page.textContent).toBe('full');
  await act(() => vi.advanceTimersByTimeAsync(3_600_000));
  expect(requested).toEqual(['/u', '/t', '/u', '/t', '/u', '/t', '/u']);
  act(() => root.unmount());
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
