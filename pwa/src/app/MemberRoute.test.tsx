import 'fake-indexeddb/auto';
import { QueryClientProvider } from '@tanstack/react-query';
import type { Root } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Match, Me, Photo, PublicMember } from '@/api/types.ts';
import { noWords } from '@/domain/profile/words.ts';
import { CONVERSATION, createMemberRoot, freshDb, json, ME, openDb, summary } from '@/offline/testkit.ts';
import { queryClient } from '@/session/query.ts';
import { setMe } from '@/session/session.ts';
import MemberRoute from './MemberRoute.tsx';

const user = { ...summary().user, firstName: 'Maya' };
const photo: Photo = {
  id: 'photo',
  caption: '',
  width: 4,
  height: 5,
  placeholder: '',
  thumbUrl: '',
  url: '',
};
const member = {
  ...user,
  ...noWords,
  intentionTags: [],
  age: 30,
  city: 'Portland',
  photos: [photo],
  galleryImages: [],
  galleryVideos: [],
  prompts: [{ question: 'A perfect day', answer: 'By the sea', voice: null }],
} as unknown as PublicMember;
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
  const db = await freshDb();
  await db.profiles.put({ id: user.id, member, fetchedAt: Date.now() });
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
  root = createMemberRoot(page);
  const router = createMemoryRouter([{ path: '/profile/:id', element: <MemberRoute /> }], {
    initialEntries: [`/profile/${user.id}`],
  });
  root.render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
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

const LIKES = ['Like photo 1', 'Like the answer to “A perfect day”'];

/** The names of the page's actions that need the answer. */
const actions = () =>
  [...page.querySelectorAll('a, button')]
    .map((element) => element.getAttribute('aria-label') ?? element.textContent)
    .filter((name) => /^(Message|Pass|Super Like|Like)/.test(name));
const shown = () => vi.waitFor(() => expect(page.textContent).toContain('By the sea'));

test('a device without matches offers nothing until it knows that the member is a match', async () => {
  await shown();
  expect(actions()).toEqual([]);
  respond(json(200, [match]));
  await vi.waitFor(() => expect(actions()).toEqual(['Message Maya']));
});

test.each([
  ['no match', () => json(200, [])],
  ['an error', () => json(503, { title: 'away' })],
])('once the server has answered with %s, the member can be decided on', async (_, response) => {
  await shown();
  respond(response());
  await vi.waitFor(() =>
    expect(actions().toSorted()).toEqual([...LIKES, 'Message Maya', 'Pass', 'Super Like', 'Like'].toSorted()),
  );
});

test('a device with other matches relies on them', async () => {
  await openDb(ME).matches.put({ ...match, id: 'other', user: { ...user, id: 'other' } });
  await vi.waitFor(() => expect(actions()).toContain('Pass'));
  expect(actions()).toEqual(expect.arrayContaining(LIKES));
});
