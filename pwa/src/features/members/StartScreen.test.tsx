import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeAll, expect, it, vi } from 'vitest';
import type { Me } from '@/api/types.ts';
import { createStore } from '@/ui';
import StartScreen from './StartScreen.tsx';

const me = createStore({
  interestedIn: [],
  photos: [],
  prompts: [],
  gender: 'woman',
  startStep: 'seek',
} as unknown as Me);

vi.mock('./useStartedMe.ts', () => ({ useStartedMe: () => me.useValue() }));
vi.mock('./useDraft.ts', () => ({ useDraft: () => ({ draft: { prompts: [] }, errors: {}, busy: false }) }));
vi.mock('./useUploads.ts', () => ({ useUploads: () => ({ uploads: [] }) }));
vi.mock('./requests.ts', () => ({ useAreWordsLoading: () => false, useProfileOptions: () => undefined }));
vi.mock('./startAnswers.ts', () => ({ saveAnswers: () => stored }));
vi.mock('@/session/SignOutButton.tsx', () => ({ SignOutButton: () => null }));

let stored: Promise<void>;

beforeAll(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true));

it('a question whose answer is being stored opens no other way than the next question', async () => {
  let finish = () => {};
  stored = new Promise((resolve) => {
    finish = resolve;
  });
  const router = createMemoryRouter([{ path: '/start/:step', Component: StartScreen }], {
    initialEntries: ['/start/seek'],
  });
  const page = document.createElement('div');
  const root = createRoot(page);
  await act(async () => root.render(<RouterProvider router={router} />));
  const everyone = [...page.querySelectorAll('button')].find(({ textContent }) => textContent === 'Everyone');
  await act(async () => everyone?.click());
  // The device has the answer before the screen hears that it is stored.
  await act(async () => me.set({ ...me.get(), startStep: 'photo' }));
  expect(page.querySelector('[aria-label="Finish later"]')).toBeNull();
  expect(page.querySelector('[aria-label="Skip this step"]')).toBeNull();
  await act(async () => finish());
  expect(router.state.location.pathname).toBe('/start/photo');
  expect(page.querySelector('[aria-label="Finish later"]')).not.toBeNull();
  act(() => root.unmount());
});
