import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import { expect, it, vi } from 'vitest';
import { queryClient } from '@/session/query.ts';
import ReviewBanner from './ReviewBanner.tsx';
import ReviewCard from './ReviewCard.tsx';

it.each([
  { name: 'card', Shown: ReviewCard, loaded: 'No face is seen.' },
  { name: 'banner', Shown: ReviewBanner, loaded: 'Your profile isn’t shown yet.' },
])('the $name of a review that could not be loaded says so, and loads when tried again', async (shown) => {
  let isServed = false;
  vi.stubGlobal('fetch', async () =>
    isServed
      ? new Response(JSON.stringify({ status: 'declined', subject: 'profile', reason: 'No face is seen.' }), {
          headers: { 'Content-Type': 'application/json' },
        })
      : new Response('{}', { status: 503, headers: { 'Content-Type': 'application/problem+json' } }),
  );
  const page = document.body.appendChild(document.createElement('div'));
  const root = createRoot(page);
  root.render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <shown.Shown />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  await vi.waitFor(() => expect(page.textContent).toContain('We couldn’t load your review'));
  isServed = true;
  page.querySelector('button')?.click();
  await vi.waitFor(() => expect(page.textContent).toContain(shown.loaded));
  root.unmount();
  page.remove();
  queryClient.clear();
  vi.unstubAllGlobals();
});
