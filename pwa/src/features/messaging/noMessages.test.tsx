import { act } from 'react';
import type { Root } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/request.ts';
import { createMemberRoot, PEER, summary } from '@/offline/testkit.ts';
import type { NewestMessages } from './newestMessages.ts';
import { NoMessages } from './threadParts.tsx';

let page: HTMLElement;
let root: Root;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  page = document.body.appendChild(document.createElement('div'));
  root = createMemberRoot(page);
  return async () => {
    await act(async () => root.unmount());
    page.remove();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  };
});

const loading: NewestMessages = { error: null, retry: async () => undefined };

const show = (lastSeq: number, newest = loading) =>
  act(async () =>
    root.render(
      <MemoryRouter>
        <NoMessages conversation={{ ...summary(), lastSeq, userId: PEER, sortAt: '' }} newest={newest} />
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

it('offers to try again when the messages could not be fetched', async () => {
  const retry = vi.fn(async () => undefined);
  await show(7, { error: new ApiError(500, 'internal', 'Something went wrong.'), retry });
  expect(page.textContent).toContain('The messages could not be loaded');
  expect(page.querySelector('[aria-label="Loading messages"]')).toBeNull();
  await act(async () => page.querySelector('button')?.click());
  expect(retry).toHaveBeenCalledOnce();
});
