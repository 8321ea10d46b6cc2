import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { Sheet } from './Dialog.tsx';
import { movers } from './motion.ts';

const PHONE = { '(prefers-reduced-motion: reduce)': false, '(min-width: 768px)': false };
let media: Record<string, boolean>;
let page: HTMLElement;
let root: Root;

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  onClose.mockReset();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  media = { ...PHONE };
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: media[query] ?? false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(600);
  // As in a hidden tab: no animation moves on.
  vi.stubGlobal('requestAnimationFrame', () => 0);
  page = document.body.appendChild(document.createElement('div'));
  root = createRoot(page);
  await movers.preload();
  return async () => {
    await act(async () => root.unmount());
    document.body.replaceChildren();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

const onClose = vi.fn();
const show = (open: boolean) =>
  act(async () =>
    root.render(
      <Sheet onClose={onClose} open={open} title="Report">
        <input id="what" name="what" />
      </Sheet>,
    ),
  );
const dialog = () => page.querySelector('dialog');

/** Drags the sheet's head down by a distance, fast. */
async function drag(distance: number): Promise<void> {
  const head = dialog()?.querySelector('h2');
  for (const [type, clientY] of [
    ['pointerdown', 0],
    ['pointermove', distance],
    ['pointerup', distance],
  ] as const) {
    const event = new PointerEvent(type, { bubbles: true, pointerType: 'touch', isPrimary: true, clientY });
    Object.defineProperty(event, 'timeStamp', { value: type === 'pointerdown' ? 0 : 50 });
    await act(async () => head?.dispatchEvent(event));
  }
}

it('a sheet comes from below', async () => {
  await show(true);
  expect(dialog()?.open).toBe(true);
  expect(dialog()?.style.transform).toBe('translateY(100%)');
});

it('a closed sheet is gone at once, also when no animation moves on', async () => {
  await show(true);
  await show(false);
  expect(dialog()).toBeNull();
});

it('a sheet that is dragged down is closed after a fixed time, also when no animation moves on', async () => {
  await show(true);
  await drag(20);
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(onClose, 'not by a twitch').not.toHaveBeenCalled();
  await drag(200);
  await act(() => vi.advanceTimersByTimeAsync(220));
  expect(onClose).toHaveBeenCalledOnce();
});

it('a drag does not close a sheet in which text was entered', async () => {
  await show(true);
  await act(async () =>
    dialog()
      ?.querySelector('input')
      ?.dispatchEvent(new Event('input', { bubbles: true })),
  );
  await drag(200);
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(onClose).not.toHaveBeenCalled();
});

it('with reduced motion a sheet does not come from below', async () => {
  media['(prefers-reduced-motion: reduce)'] = true;
  await show(true);
  expect(dialog()?.style.transform).toBe('');
});

it('on a wide screen a sheet is a panel, which does not slide', async () => {
  media['(min-width: 768px)'] = true;
  await show(true);
  expect(dialog()?.style.transform).toBe('');
});
