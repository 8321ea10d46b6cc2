import { act } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeAll, expect, it, vi } from 'vitest';
import type { Me } from '@/api/types.ts';
import { createStore } from '@/base/store.ts';
import { createMemberRoot } from '@/offline/testkit.ts';
import StartScreen from './StartScreen.tsx';

const me = createStore({
  interestedIn: [],
  photos: [],
  prompts: [],
  gender: 'woman',
  startStep: 'seek',
} as unknown as Me);

vi.mock('./useStartedMe.ts', () => ({ useStartedMe: () => me.useValue() }));
vi.mock('./useProfileDraft.ts', () => ({
  useProfileDraft: () => ({ draft: { prompts: [] }, errors: {}, busy: false }),
}));
vi.mock('./useUploads.ts', () => ({ useUploads: () => ({ uploads: [] }) }));
vi.mock('./profileRequests.ts', () => ({
  useAreWordsLoading: () => false,
  useProfileOptions: () => undefined,
}));
vi.mock('./startAnswers.ts', () => ({ saveAnswers: () => stored }));
vi.mock('@/session/SignOutButton.tsx', () => ({ SignOutButton: () => null }));

let stored: Promise<void>;

beforeAll(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true));

async function open(path: string) {
  const router = createMemoryRouter([{ path: '/start/:step', Component: StartScreen }], {
    initialEntries: [path],
  });
  const page = document.createElement('div');
  const root = createMemberRoot(page);
  await act(async () => root.render(<RouterProvider router={router} />));
  return { router, page, unmount: () => act(() => root.unmount()) };
}

it('a question whose answer is being stored opens no other way than the next question', async () => {
  let finish = () => {};
  stored = new Promise((resolve) => {
    finish = resolve;
  });
  me.set({ ...me.get(), startStep: 'seek' });
  const { router, page, unmount } = await open('/start/seek');
  const everyone = [...page.querySelectorAll('button')].find(({ textContent }) => textContent === 'Everyone');
  await act(async () => everyone?.click());
  // The device has the answer before the screen hears that it is stored.
  await act(async () => me.set({ ...me.get(), startStep: 'photo' }));
  expect(page.querySelector('[aria-label="Finish later"]')).toBeNull();
  expect(page.querySelector('[aria-label="Skip this step"]')).toBeNull();
  await act(async () => finish());
  expect(router.state.location.pathname).toBe('/start/photo');
  expect(page.querySelector('[aria-label="Finish later"]')).not.toBeNull();
  unmount();
});

it('an optional question that opens before the last answer is read can be left as soon as it is', async () => {
  me.set({ ...me.get(), startStep: 'seek' });
  const { page, unmount } = await open('/start/photo');
  expect(page.querySelector('[aria-label="Finish later"]')).toBeNull();
  await act(async () => me.set({ ...me.get(), startStep: 'photo' }));
  expect(page.querySelector('[aria-label="Finish later"]')).not.toBeNull();
  unmount();
});
