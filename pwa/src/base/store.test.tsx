import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { createEmitter, createStore } from './store.ts';

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

const names = new Set<string>();
const changes = createEmitter();
const renderedMembership: boolean[] = [];

function HasAda() {
  renderedMembership.push(changes.useValue(() => names.has('Ada')));
  return null;
}

it('renders again when an event has changed the result of `read`', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const root = createRoot(document.createElement('div'));
  await act(async () => root.render(<HasAda />));
  for (const name of ['Ben', 'Ada', 'Cara']) {
    names.add(name);
    await act(async () => changes.emit());
  }
  expect(renderedMembership).toEqual([false, true]);
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});
