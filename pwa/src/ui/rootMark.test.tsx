import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { useRootMark } from './rootMark.ts';

function Standing() {
  useRootMark('modal');
  return null;
}

it('stands on the root as long as one stands, and changes with each', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const html = document.documentElement;
  const changed = vi.fn();
  const watcher = new MutationObserver(changed);
  watcher.observe(html, { attributeFilter: ['data-modal'] });
  const root = createRoot(document.createElement('div'));
  const stand = (names: string[]) =>
    act(async () => root.render(names.map((name) => <Standing key={name} />)));
  for (const names of [['sheet'], ['sheet', 'dialog'], ['sheet']]) {
    changed.mockClear();
    await stand(names);
    await vi.waitFor(() => expect(changed).toHaveBeenCalledOnce());
    expect(html.hasAttribute('data-modal')).toBe(true);
  }
  await stand([]);
  expect(html.hasAttribute('data-modal')).toBe(false);
  watcher.disconnect();
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});
