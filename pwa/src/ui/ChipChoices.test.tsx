import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ChipChoices, toggled } from './ChipChoices.tsx';

let root: Root;
let container: HTMLElement;
const change = vi.fn();

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  change.mockReset();
  container = document.body.appendChild(document.createElement('div'));
  root = createRoot(container);
});

afterEach(async () => {
  await act(async () => root.unmount());
  container.remove();
  vi.unstubAllGlobals();
});

const draw = (count: number, ...chosen: string[]) => {
  // In reverse alphabetical order.
  const words = Array.from({ length: count }, (_, index) => `Word ${String.fromCharCode(122 - index)}`);
  const options = Object.fromEntries(words.map((word) => [word, word]));
  return act(async () => root.render(<ChipChoices chosen={chosen} onChange={change} options={options} />));
};
const buttons = () => [...container.querySelectorAll('button')].map((button) => button.textContent);
const press = (name: string) =>
  act(async () => [...container.querySelectorAll('button')].find((one) => one.textContent === name)?.click());

test('a word is added and removed', () => {
  expect(toggled(['a', 'b'], 'c')).toEqual(['a', 'b', 'c']);
  expect(toggled(['a', 'b'], 'a')).toEqual(['b']);
});

test('a short list is shown whole, in its order', async () => {
  await draw(19, 'Word z');
  expect(buttons()).toHaveLength(19);
  expect(buttons().slice(0, 2)).toEqual(['Word z', 'Word y']);
  expect(container.querySelector('[aria-pressed=true]')?.textContent).toBe('Word z');
  await press('Word y');
  expect(change).toHaveBeenLastCalledWith(['Word z', 'Word y']);
});

test('a long list shows its first and chosen words, and on request all of them in alphabetical order', async () => {
  await draw(20, 'Word g');
  expect(buttons()).toHaveLength(12);
  expect(buttons().slice(-3)).toEqual(['Word q', 'Word g', 'Show all 20']);
  await press('Show all 20');
  expect(buttons()).toHaveLength(21);
  expect(buttons()[0]).toBe('Word g');
  expect(container.querySelector('[aria-expanded]')?.getAttribute('aria-expanded')).toBe('true');
  await press('Show fewer');
  expect(buttons()).toHaveLength(12);
});
