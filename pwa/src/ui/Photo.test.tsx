import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { Photo } from './Photo.tsx';

it('a photo that could not be loaded is requested again when the device is online again', () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const page = document.createElement('div');
  const root = createRoot(page);
  act(() => root.render(<Photo alt="Ann" src="/files/a/thumb.webp" />));
  act(() => void page.querySelector('img')?.dispatchEvent(new Event('error')));
  expect(page.querySelector('img')).toBeNull();
  act(() => void dispatchEvent(new Event('online')));
  expect(page.querySelector('img')?.getAttribute('src')).toBe('/files/a/thumb.webp');
  act(() => root.unmount());
});
