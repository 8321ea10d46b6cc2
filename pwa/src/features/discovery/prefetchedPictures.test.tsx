import { act } from 'react';
import { expect, it, vi } from 'vitest';
import type { Photo } from '@/api/types.ts';
import { useSession } from '@/base/pageSession.ts';
import { createMemberRoot } from '@/offline/testkit.ts';
import { pictureState, usePrefetchedPictures } from './prefetchedPictures.ts';

const photo: Photo = {
  id: 'a',
  caption: '',
  width: 4,
  height: 5,
  placeholder: '',
  thumbUrl: '/t',
  url: '/u',
};

vi.mock('@/offline/store/idle.ts', () => ({ whenIdle: () => idle }));
let idle = Promise.resolve();

function Deck() {
  usePrefetchedPictures([photo], 1);
  return pictureState(useSession(), photo);
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
  const root = createMemberRoot(page);
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

const photos = ['first', 'drawn', 'later'].map((name) => ({ ...photo, id: name, url: `/${name}` }));
const drawn = vi.fn();

function Cards() {
  usePrefetchedPictures(photos, 2);
  drawn();
  const session = useSession();
  return photos.map((each) => pictureState(session, each) ?? 'loading').join(' ');
}

it('loads the first photo alone, and is drawn again only for those on the screen', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const loaded = new Map<string, () => void>();
  vi.stubGlobal(
    'Image',
    class {
      src = '';
      decode = () => new Promise<void>((resolve) => loaded.set(this.src, resolve));
    },
  );
  let becomeIdle = () => {};
  idle = new Promise((resolve) => {
    becomeIdle = resolve;
  });
  const page = document.createElement('div');
  const root = createMemberRoot(page);
  await act(async () => root.render(<Cards />));
  expect([...loaded.keys()]).toEqual(['/first']);
  await act(async () => loaded.get('/first')?.());
  expect([...loaded.keys(), page.textContent]).toEqual(['/first', 'full loading loading']);
  await act(async () => becomeIdle());
  expect([...loaded.keys()]).toEqual(['/first', '/drawn', '/later']);
  drawn.mockClear();
  await act(async () => loaded.get('/later')?.());
  expect(drawn).not.toHaveBeenCalled();
  await act(async () => loaded.get('/drawn')?.());
  expect(page.textContent).toBe('full full full');
  act(() => root.unmount());
  vi.unstubAllGlobals();
});
