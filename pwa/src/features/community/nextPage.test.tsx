import 'fake-indexeddb/auto';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { expect, it, vi } from 'vitest';
import { createMemberRoot, json } from '@/offline/testkit.ts';
import { useVisitorBoard } from './board.ts';

let board: ReturnType<typeof useVisitorBoard>;

function Board() {
  board = useVisitorBoard({ tab: 'all', tag: '', words: '' });
  return null;
}

it('tells a visitor’s screen that the next page could not be loaded', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const first = json(200, [], { Link: '</api/community/posts?cursor=2>; rel="next"' });
  vi.stubGlobal('fetch', vi.fn().mockResolvedValueOnce(first).mockRejectedValue(new TypeError('offline')));
  const page = document.body.appendChild(document.createElement('div'));
  const root = createMemberRoot(page);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <Board />
      </QueryClientProvider>,
    ),
  );
  await act(() => vi.waitFor(() => expect(board.hasNext).toBe(true)));
  await act(() => expect(board.loadNext()).rejects.toThrow());
  await act(async () => root.unmount());
  page.remove();
  vi.unstubAllGlobals();
});
