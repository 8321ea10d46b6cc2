import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { Photo } from './Photo.tsx';

let page: HTMLElement;
let root: Root;
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers();
  page = document.createElement('div');
  root = createRoot(page);
  act(() => root.render(<Photo alt="Ann" src="/files/a/thumb.webp" />));
  return () => {
    act(() => root.unmount());
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

const picture = () => page.querySelector('img');
const fail = () => act(() => void picture()?.dispatchEvent(new Event('error')));
const wait = (seconds: number) => act(() => void vi.advanceTimersByTime(seconds * 1000));

it('a photo that could not be loaded is requested again when the device is online again', () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  fail();
  wait(3600);
  expect(picture()).toBeNull();
  act(() => void dispatchEvent(new Event('online')));
  expect(picture()?.getAttribute('src')).toBe('/files/a/thumb.webp');
});

it('a photo that fails while the device seems to be online is requested again after 2, 4, 8, 16 and 32 seconds', () => {
  for (const seconds of [2, 4, 8, 16, 32]) {
    fail();
    wait(seconds - 0.001);
    expect(picture()).toBeNull();
    wait(0.001);
    expect(picture(), `after ${seconds} s`).not.toBeNull();
  }
  fail();
  wait(3600);
  expect(picture()).toBeNull();
});

it('a photo that could not be loaded is shown by its thumbnail, until it has loaded', () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const photo = { url: '/files/a/full.webp', thumbUrl: '/files/a/thumb.webp', placeholder: 'data:,' };
  act(() => root.render(<Photo alt="Ann" photo={photo} />));
  const sources = () => [...page.querySelectorAll('img')].map((image) => image.getAttribute('src'));
  expect(sources()).toEqual([photo.url]);
  fail();
  expect(sources()).toEqual([photo.thumbUrl]);
  expect(page.textContent, 'the description stays').toBe('Ann');
  act(() => void dispatchEvent(new Event('online')));
  expect(sources()).toEqual([photo.thumbUrl, photo.url]);
  const image = page.querySelectorAll('img')[1];
  act(() => void image?.dispatchEvent(new Event('load')));
  act(() => void image?.dispatchEvent(new Event('transitionend', { bubbles: true })));
  expect(sources()).toEqual([photo.url]);
});

it('a photo that could not be loaded and has no thumbnail says so, until it is requested again', () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const photo = { url: '/files/a/full.webp', thumbUrl: '/files/a/thumb.webp', placeholder: 'data:,' };
  act(() => root.render(<Photo alt="Ann" missingText="It loads later." photo={photo} />));
  fail();
  expect(page.textContent, 'the thumbnail stands for it').toBe('Ann');
  fail();
  expect(page.textContent).toBe('AnnIt loads later.');
  act(() => void dispatchEvent(new Event('online')));
  expect(page.textContent).toBe('');
});
