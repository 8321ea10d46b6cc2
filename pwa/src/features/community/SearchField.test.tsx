import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { SearchField } from './SearchField.tsx';

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
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, 'rain');
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await draw('all');
  act(() => void vi.runAllTimers());
  expect(searches).toEqual(['all: rain']);

  act(() => root.unmount());
  page.remove();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
