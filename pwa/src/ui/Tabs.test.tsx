import { act, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { Tabs } from './Tabs.tsx';

let container: HTMLElement;

function Example() {
  const [value, setValue] = useState<'a' | 'b' | 'c'>('a');
  const tabs = (['a', 'b', 'c'] as const).map((name) => ({
    value: name,
    label: name,
    content: `about ${name}`,
  }));
  return <Tabs label="Letters" onChange={setValue} tabs={tabs} value={value} />;
}

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  await act(async () => root.render(<Example />));
  return async () => {
    await act(async () => root.unmount());
    container.remove();
    vi.unstubAllGlobals();
  };
});

const selected = () => container.querySelector<HTMLElement>('[role=tab][aria-selected=true]');
const panel = () => container.querySelector('[role=tabpanel]');
const press = (key: string) =>
  act(async () =>
    document.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
    ),
  );

it('moves the focus and opens the tab with the arrow keys, wrapping around', async () => {
  selected()?.focus();
  for (const [key, name] of [
    ['ArrowRight', 'b'],
    ['ArrowRight', 'c'],
    ['ArrowRight', 'a'],
    ['ArrowLeft', 'c'],
    ['Home', 'a'],
    ['End', 'c'],
    ['ArrowUp', 'c'],
  ] as const) {
    await press(key);
    expect(selected()?.textContent, key).toBe(name);
    expect(document.activeElement).toBe(selected());
    expect(panel()?.textContent).toBe(`about ${name}`);
  }
});

it('has one tab stop, and names the panel after the open tab', () => {
  const stops = [...container.querySelectorAll<HTMLElement>('[role=tab]')].filter(
    (tab) => tab.tabIndex === 0,
  );
  expect(stops).toEqual([selected()]);
  expect(panel()?.getAttribute('aria-labelledby')).toBe(selected()?.id);
  expect(selected()?.getAttribute('aria-controls')).toBe(panel()?.id);
});

it('the left arrow opens the next tab in a language from right to left', async () => {
  document.documentElement.dir = 'rtl';
  selected()?.focus();
  await press('ArrowLeft');
  expect(selected()?.textContent).toBe('b');
  document.documentElement.removeAttribute('dir');
});
