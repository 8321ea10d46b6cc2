import 'fake-indexeddb/auto';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { createMemberRoot, json } from '@/offline/testkit.ts';
import { StaffNotes } from './StaffNotes.tsx';

afterEach(() => vi.unstubAllGlobals());

/** Shows the notes for a response of the server, and returns the texts once the response has arrived. */
async function showNotes(response: Response): Promise<string> {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const fetch = vi.fn().mockResolvedValue(response);
  vi.stubGlobal('fetch', fetch);
  const page = document.body.appendChild(document.createElement('div'));
  const root = createMemberRoot(page);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <StaffNotes of={{ kind: 'member', id: '019a0000-0000-7000-8000-0000000000be' }} />
      </QueryClientProvider>,
    ),
  );
  await act(() => vi.waitFor(() => expect(client.isFetching()).toBe(0)));
  const texts = page.textContent ?? '';
  await act(async () => root.unmount());
  page.remove();
  expect(fetch).toHaveBeenCalled();
  return texts;
}

it('shows the notes, or that they could not be loaded', async () => {
  expect(await showNotes(json(200, []))).toContain('None yet.');
  expect(await showNotes(json(500, { kind: 'internal' }))).toContain('The notes could not be loaded');
});

it('shows nothing to a moderator who may not see the notes', async () => {
  expect(await showNotes(json(404, { kind: 'not_found', detail: 'We could not find that.' }))).toBe('');
});
