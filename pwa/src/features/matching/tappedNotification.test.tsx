import 'fake-indexeddb/auto';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Match, Me, ReceivedLike } from '@/api/types.ts';
import { CONVERSATION, createMemberRoot, freshDb, json, ME, openDb, summary } from '@/offline/testkit.ts';
import { queryClient } from '@/session/query.ts';
import { setMe } from '@/session/session.ts';
import { Toaster } from '@/ui';
import { queueCelebration } from './celebrationQueue.ts';
import MatchEvents from './MatchEvents.tsx';

const LIKE = '019a0000-0000-7000-8000-0000000000d1';
const LATE = '019a0000-0000-7000-8000-0000000000d2';
const receivedLike: ReceivedLike = {
  id: LIKE,
  likeType: 'super_like',
  comment: '',
  likedAt: '2026-11-20T10:00:00.000Z',
  photoUrl: null,
  prompt: null,
  answer: null,
  user: { ...summary().user, firstName: 'Maya' },
};

const MATCH = '019a0000-0000-7000-8000-0000000000e1';
const match: Match = {
  id: MATCH,
  user: { ...summary().user, firstName: 'Maya' },
  conversationId: CONVERSATION,
  matchedAt: '2026-11-20T10:00:00.000Z',
  seen: false,
  unread: 0,
  lastMessageAt: null,
  theirLike: null,
  myLike: null,
};

let likes: ReceivedLike[];
/** The server responds with the likes when this resolves. */
let responseGate: Promise<void>;
let requestedPaths: string[];
let page: HTMLElement;
let router: ReturnType<typeof createMemoryRouter>;

function Page() {
  return (
    <>
      <MatchEvents />
      <Toaster />
    </>
  );
}

/** Opens the app at the address of a tapped notification. */
function open(address: string) {
  router = createMemoryRouter([{ path: '*', element: <Page /> }], { initialEntries: [address] });
  const root = createMemberRoot(page);
  root.render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return root;
}

const waitUntilHandled = () => vi.waitFor(() => expect(router.state.location.search).toBe(''));
let laterCount = 0;
/** Asserts that no celebration is queued: they are shown in order, and a new one is shown first. */
async function expectNoneQueued() {
  queueCelebration(openDb(ME), { id: `later ${laterCount++}`, type: 'message_spark', name: 'Ann' });
  await vi.waitFor(() => expect(dialog()).not.toBeNull());
  expect(dialog()?.textContent).toContain('Message Spark!');
}
const button = (name: string) =>
  [...page.querySelectorAll('button')].find(({ textContent }) => textContent === name);
const dialog = () => page.querySelector('dialog');

beforeEach(async () => {
  await freshDb();
  likes = [receivedLike];
  responseGate = Promise.resolve();
  requestedPaths = [];
  await setMe({ id: ME, firstName: 'Ben' } as Me);
  vi.stubGlobal('fetch', async (input: Request | string) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href);
    requestedPaths.push(pathname);
    if (pathname === '/api/likes/received') return responseGate.then(() => json(200, likes));
    if (pathname === '/api/matches') return json(200, [match]);
    return json(503, { title: 'away' });
  });
  page = document.body.appendChild(document.createElement('div'));
  return () => {
    page.remove();
    queryClient.clear();
    vi.unstubAllGlobals();
  };
});

it('celebrates the super like of a tapped notification, once on this device', async () => {
  const first = open(`/matches/likes?celebrate=${LIKE}`);
  await vi.waitFor(() => expect(dialog()?.textContent).toContain('Super Spark!'));
  expect(dialog()?.textContent).toContain('Maya');
  await waitUntilHandled();
  first.unmount();

  const second = open(`/matches/likes?celebrate=${LIKE}`);
  await waitUntilHandled();
  await expectNoneQueued();
  second.unmount();
});

it.each([
  ['was answered on another device', () => []],
  ['is a plain like', () => [{ ...receivedLike, likeType: 'like' as const }]],
])('celebrates nothing when the like %s', async (_, fetchLikes) => {
  likes = fetchLikes();
  const root = open(`/matches/likes?celebrate=${LIKE}`);
  await waitUntilHandled();
  await expectNoneQueued();
  root.unmount();
});

it('shows a link to the conversation after the celebration of a match', async () => {
  const root = open(`/matches?celebrate=${MATCH}`);
  await vi.waitFor(() => expect(dialog()?.textContent).toContain('You and Maya like each other'));
  dialog()?.click();
  await vi.waitFor(() => expect(dialog()).toBeNull());
  await vi.waitFor(() => expect(button('Say hello')).toBeDefined());
  button('Say hello')?.click();
  await vi.waitFor(() => expect(router.state.location.pathname).toBe(`/messages/${MATCH}`));
  root.unmount();
});

it('does not change the address of the next page when the server responds after the member went there', async () => {
  const release = Promise.withResolvers<void>();
  responseGate = release.promise;
  const root = open(`/matches/likes?celebrate=${LATE}`);
  likes = [{ ...receivedLike, id: LATE }];
  await vi.waitFor(() => expect(requestedPaths).toContain('/api/likes/received'));
  await router.navigate('/matches?sort=unread');
  release.resolve();
  await vi.waitFor(() => expect(dialog()?.textContent).toContain('Super Spark!'));
  dialog()?.click();
  await vi.waitFor(() => expect(button('See who likes you')).toBeDefined());
  expect(router.state.location).toMatchObject({ pathname: '/matches', search: '?sort=unread' });
  root.unmount();
});
