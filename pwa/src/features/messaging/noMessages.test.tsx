import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, it, vi } from 'vitest';
import { PEER, summary } from '@/offline/testkit.ts';
import { NoMessages } from './threadParts.tsx';

let page: HTMLElement;
let root: Root;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  page = document.body.appendChild(document.createElement('div'));
  root = createRoot(page);
  return async () => {
    await act(async () => root.unmount());
    page.remove();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  };
});

const show = (lastSeq: number) =>
  act(async () =>
    root.render(
      <MemoryRouter>
        <NoMessages conversation={{ ...summary(), lastSeq, userId: PEER, sortAt: '' }} />
      </MemoryRouter>,
    ),
  );

it('proposes to say hello in a conversation without messages', async () => {
  await show(0);
  expect(page.textContent).toContain('Say hello.');
});

it('proposes no hello while the messages of a conversation are loading', async () => {
  await show(7);
  expect(page.querySelector('[aria-label="Loading messages"]')).not.toBeNull();
  expect(page.textContent).not.toContain('Say hello.');
});

it('says offline when the messages will come', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await show(7);
  expect(page.textContent).toBe("The messages will load when you're online.");
});
