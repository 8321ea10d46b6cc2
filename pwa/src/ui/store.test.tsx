import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { createStore } from './store.ts';

const count = createStore(1);
const rendered: number[] = [];

function Count() {
  rendered.push(count.useValue());
  return null;
}

it('renders a component again only when the value changes', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const root = createRoot(document.createElement('div'));
  await act(async () => root.render(<Count />));
  await act(async () => count.set(2));
  await act(async () => count.set(2));
  expect(rendered).toEqual([1, 2]);
  await act(async () => root.unmount());
  count.set(3);
  expect(rendered).toEqual([1, 2]);
  expect(count.get()).toBe(3);
  vi.unstubAllGlobals();
});
