import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Toaster } from '@/ui';
import { nameOfType, saveFile, useSaveClick } from './saveFile.tsx';

const file = new File(['a'], 'a.csv', { type: 'text/csv' });
let saved: string[];

const SaveLink = ({ address }: { address: string }) => (
  <a href={address} onClick={useSaveClick(address, 'b.webp')}>
    Save
  </a>
);

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  saved = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  Object.assign(URL, { createObjectURL: () => 'blob:a', revokeObjectURL: vi.fn() });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  for (const name of ['standalone', 'canShare', 'share']) Reflect.deleteProperty(navigator, name);
});

it('gives a picture the ending of its type', () => {
  expect(nameOfType('picture', 'image/webp')).toBe('picture.webp');
  expect(nameOfType('picture', 'image/jpeg')).toBe('picture.jpg');
  expect(nameOfType('picture', 'image/x-unknown')).toBe('picture');
});

it('saves by a link, whose address stays valid for a while', async () => {
  vi.useFakeTimers();
  await saveFile(file);
  expect(saved).toEqual(['a.csv']);
  expect(URL.revokeObjectURL).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(URL.revokeObjectURL).toHaveBeenCalledWith('blob:a');
  vi.useRealTimers();
});

describe('in the app that was installed on an iPhone', () => {
  const share = vi.fn<(data: ShareData) => Promise<void>>();
  beforeEach(() => {
    share.mockReset();
    Object.assign(navigator, { standalone: true, canShare: () => true, share });
  });

  it('opens the share sheet', async () => {
    await saveFile(file);
    expect(share).toHaveBeenCalledWith({ files: [file] });
    expect(saved).toEqual([]);
  });

  it('opens it for a link to a file of the server, and for no other link', async () => {
    const fetchFile = vi.fn(async () => new Response(new Blob(['b'], { type: 'image/webp' })));
    vi.stubGlobal('fetch', fetchFile);
    const page = document.body.appendChild(document.createElement('div'));
    const root = createRoot(page);
    /** Whether a click on a link to this address is left to the browser. */
    const click = async (address: string) => {
      await act(async () => root.render(<SaveLink address={address} />));
      const event = new MouseEvent('click', { bubbles: true, cancelable: true });
      return act(async () => page.querySelector('a')?.dispatchEvent(event));
    };
    expect(await click('blob:b')).toBe(true);
    expect(await click('/files/b/full.webp')).toBe(false);
    await vi.waitFor(() => expect(share).toHaveBeenCalledOnce());
    const [file] = share.mock.calls[0]?.[0].files ?? [];
    expect(file).toMatchObject({ name: 'b.webp', type: 'image/webp' });
    expect(await click('/files/b/full.webp')).toBe(false);
    expect(fetchFile, 'a second tap is in time').toHaveBeenCalledOnce();
    expect(share).toHaveBeenCalledTimes(2);
    await act(async () => root.unmount());
  });

  it('saves nothing if the member closes the sheet', async () => {
    const onSaved = vi.fn();
    share.mockRejectedValue(new DOMException('', 'AbortError'));
    await saveFile(file, onSaved);
    expect([saved, onSaved.mock.calls.length]).toEqual([[], 0]);
  });

  it('offers a file that took longer than the tap is valid, and saves it by the next tap', async () => {
    const page = document.body.appendChild(document.createElement('div'));
    const root = createRoot(page);
    await act(async () => root.render(<Toaster />));
    const onSaved = vi.fn();
    share.mockRejectedValueOnce(new DOMException('', 'NotAllowedError'));
    await act(() => saveFile(file, onSaved));
    expect(page.textContent).toContain('Your file is ready');
    expect([saved, onSaved.mock.calls.length]).toEqual([[], 0]);
    await act(async () => page.querySelector('button')?.click());
    expect(share).toHaveBeenLastCalledWith({ files: [file] });
    expect([saved, onSaved.mock.calls.length]).toEqual([[], 1]);
    expect(page.textContent).toBe('');
    await act(async () => root.unmount());
  });

  it('saves by a link if the sheet fails', async () => {
    share.mockRejectedValue(new DOMException('', 'DataError'));
    await saveFile(file);
    expect(saved).toEqual(['a.csv']);
  });

  it('saves by a link what cannot be shared', async () => {
    Object.assign(navigator, { canShare: () => false });
    await saveFile(file);
    expect(saved).toEqual(['a.csv']);
  });
});
