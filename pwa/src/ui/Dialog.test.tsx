import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { Sheet } from './Dialog.tsx';

const onClose = vi.fn();
let container: HTMLElement;

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  onClose.mockReset();
  container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
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
    container.remove();
    vi.unstubAllGlobals();
  };
});

const query = (selector: string) => container.querySelector(selector) as HTMLElement;
const fire = (selector: string, event: Event) => act(async () => query(selector).dispatchEvent(event));
const down = (selector: string) => fire(selector, new PointerEvent('pointerdown', { bubbles: true }));
const click = (selector: string) => fire(selector, new MouseEvent('click', { bubbles: true }));

it('closes by a tap on the backdrop', async () => {
  await down('dialog');
  await click('dialog');
  expect(onClose).toHaveBeenCalledOnce();
});

it('stays open when a text selection ends on the backdrop', async () => {
  await down('textarea');
  await click('dialog');
  expect(onClose).not.toHaveBeenCalled();
});

it('stays open on a tap on the backdrop after text was entered, and closes by its button', async () => {
  await fire('textarea', new Event('input', { bubbles: true }));
  await down('dialog');
  await click('dialog');
  expect(onClose).not.toHaveBeenCalled();
  await click('[aria-label=Close]');
  expect(onClose).toHaveBeenCalledOnce();
});

it('closes by a tap on the backdrop after a checkbox was changed', async () => {
  await fire('[type=checkbox]', new Event('input', { bubbles: true }));
  await down('dialog');
  await click('dialog');
  expect(onClose).toHaveBeenCalledOnce();
});
