import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { StoryText } from './StoryText.tsx';

let page: HTMLElement;
let root: Root;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('fetch', async () => Response.json({ html: '<p>It was raining.</p>' }));
  page = document.body.appendChild(document.createElement('div'));
  root = createRoot(page);
  return async () => {
    await act(async () => root.unmount());
    page.remove();
    vi.unstubAllGlobals();
  };
});

const draw = (error?: string, value = 'It was raining.') =>
  act(async () => root.render(<StoryText error={error} onChange={vi.fn()} value={value} />));
const press = (label: string) =>
  act(async () =>
    [...page.querySelectorAll('button')].find(({ textContent }) => textContent === label)?.click(),
  );
const chosen = () => page.querySelector('[aria-pressed=true]')?.textContent;

it('stays at the text after an error, also once the first letter has cleared the error', async () => {
  await draw();
  await press('Preview');
  expect(page.querySelector('section')?.textContent).toBe('It was raining.');
  await draw('Please use fewer letters.');
  const text = page.querySelector('textarea');
  expect([chosen(), text?.getAttribute('aria-invalid')]).toEqual(['Write', 'true']);
  await draw();
  expect(page.querySelector('textarea')).toBe(text);
  expect(chosen()).toBe('Write');
});

it('shows the preview of the newest text, also when that of an earlier one arrives later', async () => {
  const responses: ((html: string) => void)[] = [];
  vi.stubGlobal(
    'fetch',
    () => new Promise((resolve) => responses.push((html) => resolve(Response.json({ html })))),
  );
  await draw();
  await press('Preview');
  await press('Write');
  await draw(undefined, 'It was sunny.');
  await press('Preview');
  await act(async () => responses[1]?.('<p>It was sunny.</p>'));
  await act(async () => responses[0]?.('<p>It was raining.</p>'));
  expect(page.querySelector('section')?.textContent).toBe('It was sunny.');
});
