import 'fake-indexeddb/auto';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot, type Root } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Match, Me, PublicMember } from '@/api/types.ts';
import { CONVERSATION, freshDb, json, ME, summary } from '@/offline/testkit.ts';
import { queryClient } from '@/session/query.ts';
import { setMe } from '@/session/session.ts';
import { MemberActions } from './MemberActions.tsx';

const user = { ...summary().user, firstName: 'Maya' };
const match: Match = {
  id: '019a0000-0000-7000-8000-0000000000e1',
  user,
  conversationId: CONVERSATION,
  matchedAt: '2026-11-20T10:00:00.000Z',
  seen: true,
  unread: 0,
  lastMessageAt: null,
  theirLike: null,
  myLike: null,
};

let respond: (response: Response) => void;
let page: HTMLElement;
let root: Root;
beforeEach(async () => {
  await freshDb();
  await setMe({ id: ME, firstName: 'Ben' } as Me);
  const matches = new Promise<Response>((resolve) => {
    respond = resolve;
  });
  const requested = new Promise<void>((resolve) => {
    vi.stubGlobal('fetch', (input: Request) => {
      if (new URL(input.url).pathname !== '/api/matches') return Promise.reject(new TypeError('offline'));
      resolve();
      return matches;
    });
  });
  page = document.body.appendChild(document.createElement('div'));
  root = createRoot(page);
  const element = (
    <MemberActions liked={undefined} member={user as unknown as PublicMember} onLike={() => undefined} />
  );
  root.render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createMemoryRouter([{ path: '*', element }])} />
    </QueryClientProvider>,
  );
  await requested;
});
afterEach(() => {
  root.unmount();
  page.remove();
  queryClient.clear();
  vi.unstubAllGlobals();
});

const actions = () =>
  [...page.querySelectorAll('a, button')].map(
    (element) => element.getAttribute('aria-label') ?? element.textContent,
  );

test('a device without matches offers nothing until it knows that the member is a match', async () => {
  await vi.waitFor(() => expect(page.firstElementChild).not.toBeNull());
  expect(actions()).toEqual([]);
  respond(json(200, [match]));
  await vi.waitFor(() => expect(actions()).toEqual(['Message Maya']));
});

test.each([
  ['no match', () => json(200, [])],
  ['an error', () => json(503, { title: 'away' })],
])('once the server has answered with %s, the member can be decided on', async (_, response) => {
  respond(response());
  await vi.waitFor(() => expect(actions()).toEqual(['Message Maya', 'Pass', 'Super Like', 'Like']));
});
