import 'fake-indexeddb/auto';
import { QueryClientProvider } from '@tanstack/react-query';
import { MemoryRouter } from 'react-router';
import { expect, it, vi } from 'vitest';
import type { Match } from '@/api/types.ts';
import { CONVERSATION, createMemberRoot, freshDb, json, summary } from '@/offline/testkit.ts';
import { queryClient } from '@/session/query.ts';
import MatchesScreen from './MatchesScreen.tsx';

const match: Match = {
  id: '019a0000-0000-7000-8000-0000000000e1',
  user: summary().user,
  conversationId: CONVERSATION,
  matchedAt: '2026-11-20T10:00:00.000Z',
  seen: true,
  unread: 0,
  lastMessageAt: null,
  theirLike: null,
  myLike: null,
};

it('numbers that could not be loaded are loaded again by a button in their place', async () => {
  await freshDb();
  let areCountsServed = false;
  vi.stubGlobal('fetch', async (input: Request | string) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href);
    if (pathname === '/api/matches') return json(200, [match]);
    if (pathname === '/api/matches/counts' && areCountsServed)
      return json(200, { conversations: 4, datesPlanned: 2, matches: 1, newMatches: 0 });
    return json(503, { title: 'away' });
  });
  const page = document.body.appendChild(document.createElement('div'));
  const root = createMemberRoot(page);
  root.render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <MatchesScreen />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const tiles = () => [...page.querySelectorAll('dd')].map(({ textContent }) => textContent);
  const retries = () => [...page.querySelectorAll<HTMLButtonElement>('dd button')];
  await vi.waitFor(() =>
    expect(retries().map((button) => button.getAttribute('aria-label'))).toEqual([
      'Load again: Conversations',
      'Load again: Dates planned',
    ]),
  );
  expect(tiles()[0]).toBe('1');
  areCountsServed = true;
  retries()[1]?.click();
  await vi.waitFor(() => expect(tiles()).toEqual(['1', '4', '2']));
  root.unmount();
  page.remove();
  queryClient.clear();
  vi.unstubAllGlobals();
});
