import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { useRootMark } from './rootMark.ts';

function Marked() {
  useRootMark('modal');
  return null;
}

it('sets the attribute while one component has the mark, and updates its number', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const html = document.documentElement;
  const onChange = vi.fn();
  const watcher = new MutationObserver(onChange);
  watcher.observe(html, { attributeFilter: ['data-modal'] });
  const root = createRoot(document.createElement('div'));
  const render = (names: string[]) =>
    act(async () => root.render(names.map((name) => <Marked key={name} />)));
  for (const names of [['sheet'], ['sheet', 'dialog'], ['sheet']]) {
    onChange.mockClear();
    await render(names);
    await vi.waitFor(() => expect(onChange).toHaveBeenCalledOnce());
    expect(html.hasAttribute('data-modal')).toBe(true);
  }
  await render([]);
  expect(html.hasAttribute('data-modal')).toBe(false);
  watcher.disconnect();
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});
