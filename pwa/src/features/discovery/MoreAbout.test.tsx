import 'fake-indexeddb/auto';
import { QueryClientProvider } from '@tanstack/react-query';
import { MemoryRouter } from 'react-router';
import { expect, test, vi } from 'vitest';
import { createMemberRoot, freshDb } from '@/offline/testkit.ts';
import { queryClient } from '@/session/query.ts';
import MoreAbout from './MoreAbout.tsx';
import { person } from './testkit.ts';

test('the rest of a profile that could not be fetched is requested again on demand', async () => {
  await freshDb();
  const fetched = vi.fn(async () => {
    throw new TypeError('no network');
  });
  vi.stubGlobal('fetch', fetched);
  const page = document.body.appendChild(document.createElement('div'));
  const root = createMemberRoot(page);
  root.render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <MoreAbout member={person('ann')} onDemand={false} onLike={() => undefined} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  await vi.waitFor(() => expect(page.textContent).toContain('The rest of this profile loads'));
  const before = fetched.mock.calls.length;
  [...page.querySelectorAll('button')].find(({ textContent }) => textContent === 'Try again')?.click();
  await vi.waitFor(() => expect(fetched.mock.calls.length).toBeGreaterThan(before));
  root.unmount();
  page.remove();
  queryClient.clear();
  vi.unstubAllGlobals();
});
