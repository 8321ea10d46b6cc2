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
