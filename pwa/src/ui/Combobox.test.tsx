import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Combobox, type Suggestion } from './Combobox.tsx';

const towns: Suggestion<string>[] = ['Boise, Idaho', 'Boston, Massachusetts'].map((text) => ({
  key: text,
  text,
  value: text,
}));

let root: Root;
let container: HTMLElement;
const suggest = vi.fn(async () => towns);
const change = vi.fn();
const pick = vi.fn();

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers();
  suggest.mockReset().mockResolvedValue(towns);
  change.mockReset();
  pick.mockReset();
  container = document.body.appendChild(document.createElement('div'));
  root = createRoot(container);
  await act(async () =>
    root.render(<Combobox label="City" onChange={change} onPick={pick} suggest={suggest} value="Bo" />),
  );
});

afterEach(async () => {
  await act(async () => root.unmount());
  container.remove();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const field = () => container.querySelector('input') as HTMLInputElement;
const options = () => [...container.querySelectorAll('[role=option]')];
const flush = () => act(async () => vi.advanceTimersByTimeAsync(200));

/** Presses a key; returns whether the default action was not prevented. */
async function press(key: string): Promise<boolean> {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
  await act(async () => field().dispatchEvent(event));
  return !event.defaultPrevented;
}

async function type(text: string): Promise<void> {
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  await act(async () => {
    set?.call(field(), text);
    field().dispatchEvent(new Event('input', { bubbles: true }));
  });
}

it('opens with the arrow key, wraps around and picks with Enter', async () => {
  await press('ArrowDown');
  await flush();
  expect(field().getAttribute('aria-expanded')).toBe('true');
  await press('ArrowDown');
  await press('ArrowDown');
  expect(options()[1]?.getAttribute('aria-selected')).toBe('true');
  expect(field().getAttribute('aria-activedescendant')).toBe(options()[1]?.id);
  await press('ArrowDown');
  expect(await press('Enter')).toBe(false);
  expect(pick).toHaveBeenCalledExactlyOnceWith('Boise, Idaho');
  expect(field().getAttribute('aria-expanded')).toBe('false');
});

it('handles Escape only while the list is open', async () => {
  expect(await press('Escape')).toBe(true);
  await press('ArrowDown');
  await flush();
  expect(await press('Escape')).toBe(false);
  expect(options()).toEqual([]);
  expect(pick).not.toHaveBeenCalled();
});

it('requests suggestions once for quick typing, for the last text', async () => {
  await type('Bos');
  await type('Bost');
  await flush();
  expect(suggest.mock.calls.map((call: unknown[]) => call[0])).toEqual(['Bost']);
  expect(change.mock.calls).toEqual([['Bos'], ['Bost']]);
});

it('shows no suggestions when the request fails', async () => {
  suggest.mockRejectedValue(new Error('offline'));
  await type('Bost');
  await flush();
  expect(field().getAttribute('aria-expanded')).toBe('false');
  expect(await press('Enter')).toBe(true);
});

it('ignores Enter while an input method composes', async () => {
  await act(async () =>
    field().dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true })),
  );
  await flush();
  await act(async () =>
    field().dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true })),
  );
  expect(options()).toHaveLength(2);
  // Safari has ended the composition; only the key code 229 shows it.
  const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
  Object.defineProperty(enter, 'keyCode', { value: 229 });
  await act(async () => field().dispatchEvent(enter));
  expect(pick).not.toHaveBeenCalled();
  await act(async () => field().dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })));
  expect(pick).toHaveBeenCalledOnce();
});
