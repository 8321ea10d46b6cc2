import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { filterDefaults } from '@/api/defaults.gen.ts';
import type { FilterSet } from '@/api/types.ts';
import { FilterForm } from './FilterForm.tsx';

it('draws the fields of a closed group when it is first opened, and those of an active one at once', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const page = document.body.appendChild(document.createElement('div'));
  const root = createRoot(page);
  const set = { ...filterDefaults, verifiedOnly: true };
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <FilterForm onChange={() => undefined} set={set} />
      </QueryClientProvider>,
    ),
  );
  const group = (title: string) =>
    [...page.querySelectorAll('details')].find((details) => details.textContent?.startsWith(title));
  expect(group('Activity and profile')?.querySelectorAll('input').length).toBeGreaterThan(0);
  const place = group('Where they live');
  expect(place?.querySelectorAll('input')).toHaveLength(0);
  await act(async () => place?.dispatchEvent(new Event('toggle')));
  expect(place?.querySelectorAll('input')).toHaveLength(2);
  await act(async () => root.unmount());
  page.remove();
  vi.unstubAllGlobals();
});

it('words that could not be fetched are not waited for, and are fetched when tried again', async () => {
  let isServed = false;
  vi.stubGlobal('fetch', async ({ url }: Request) =>
    isServed
      ? new Response(
          JSON.stringify(url.endsWith('profile-options') ? { personalityTraits: ['Curious'] } : []),
          {
            headers: { 'Content-Type': 'application/json' },
          },
        )
      : new Response('{}', { status: 503 }),
  );
  const page = document.body.appendChild(document.createElement('div'));
  const root = createRoot(page);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const set: FilterSet = { ...filterDefaults, personalityTraits: ['Calm'] };
  root.render(
    <QueryClientProvider client={client}>
      <FilterForm onChange={() => undefined} set={set} />
    </QueryClientProvider>,
  );
  const retry = () =>
    [...page.querySelectorAll('button')].find(({ textContent }) => textContent === 'Try again');
  await vi.waitFor(() => expect(retry()).toBeDefined());
  const chips = () => [...page.querySelectorAll('[aria-pressed]')].map(({ textContent }) => textContent);
  expect(chips(), 'a chosen word can be removed').toContain('Calm');
  expect(page.querySelector('.animate-skeleton')).toBeNull();
  isServed = true;
  retry()?.click();
  await vi.waitFor(() => expect(chips()).toContain('Curious'));
  root.unmount();
  page.remove();
  vi.unstubAllGlobals();
});
