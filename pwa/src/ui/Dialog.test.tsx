import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { Sheet } from './Dialog.tsx';

const onClose = vi.fn();
let shown: HTMLElement;

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  onClose.mockReset();
  shown = document.body.appendChild(document.createElement('div'));
  const root = createRoot(shown);
  await act(async () =>
    root.render(
      <Sheet onClose={onClose} open title="Report">
        <textarea aria-label="What happened" />
        <input aria-label="Serious" type="checkbox" />
      </Sheet>,
    ),
  );
  return async () => {
    await act(async () => root.unmount());
    shown.remove();
    vi.unstubAllGlobals();
  };
});

const part = (selector: string) => shown.querySelector(selector) as HTMLElement;
const fire = (selector: string, event: Event) => act(async () => part(selector).dispatchEvent(event));
const down = (selector: string) => fire(selector, new PointerEvent('pointerdown', { bubbles: true }));
const click = (selector: string) => fire(selector, new MouseEvent('click', { bubbles: true }));

it('closes by a tap beside it', async () => {
  await down('dialog');
  await click('dialog');
  expect(onClose).toHaveBeenCalledOnce();
});

it('stays when text is marked and the pointer is released beside it', async () => {
  await down('textarea');
  await click('dialog');
  expect(onClose).not.toHaveBeenCalled();
});

it('stays after text was written, and closes by its button', async () => {
  await fire('textarea', new Event('input', { bubbles: true }));
  await down('dialog');
  await click('dialog');
  expect(onClose).not.toHaveBeenCalled();
  await click('[aria-label=Close]');
  expect(onClose).toHaveBeenCalledOnce();
});

it('is not held open by a choice', async () => {
  await fire('[type=checkbox]', new Event('input', { bubbles: true }));
  await down('dialog');
  await click('dialog');
  expect(onClose).toHaveBeenCalledOnce();
});
