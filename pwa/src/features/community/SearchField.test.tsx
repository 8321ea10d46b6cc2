import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { SearchField } from './SearchField.tsx';

const type = (input: HTMLInputElement, words: string) =>
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, words);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });

it('searches the category that is chosen when the search starts', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers();
  const page = document.body.appendChild(document.createElement('div'));
  const root = createRoot(page);
  const searches: string[] = [];
  const draw = (category: string) =>
    act(() =>
      root.render(<SearchField onSearch={(words) => searches.push(`${category}: ${words}`)} words="" />),
    );
  await draw('blog');
  const input = page.querySelector('input') as HTMLInputElement;
  type(input, 'rain');
  await draw('all');
  act(() => void vi.runAllTimers());
  expect(searches).toEqual(['all: rain']);

  act(() => root.unmount());
  page.remove();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('shows the words of the address again when a link has changed them, and keeps what is being typed', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers();
  const page = document.body.appendChild(document.createElement('div'));
  const root = createRoot(page);
  const onSearch = vi.fn();
  const draw = (words: string) => act(() => root.render(<SearchField onSearch={onSearch} words={words} />));
  await draw('rain');
  const input = page.querySelector('input') as HTMLInputElement;
  expect(input.value).toBe('rain');
  type(input, 'rain and');
  await draw('');
  expect(input.value).toBe('');
  act(() => void vi.runAllTimers());
  expect(onSearch, 'the words that the link has removed').not.toHaveBeenCalled();

  type(input, 'sun ');
  act(() => void vi.runAllTimers());
  expect(onSearch).toHaveBeenLastCalledWith('sun');
  await draw('sun');
  expect(input.value, 'the own search changes nothing in the field').toBe('sun ');

  act(() => root.unmount());
  page.remove();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
