import 'fake-indexeddb/auto';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, type ReactNode } from 'react';
import type { Root } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeEach, expect, it, vi } from 'vitest';
import type { ActivityItem, PlannedDate } from '@/api/types.ts';
import { ActivityList } from '@/features/activity/ActivityList.tsx';
import { DateCard } from '@/features/dates/DateCard.tsx';
import SharedDateScreen from '@/features/dates/SharedDateScreen.tsx';
import { MessageAttachments } from '@/features/media/MessageAttachments.tsx';
import { setMeta } from '@/offline/store/meta.ts';
import type { MessageRow } from '@/offline/store/rows.ts';
import { createMemberRoot, ME, openDb } from '@/offline/testkit.ts';
import { queryClient } from '@/session/query.ts';

let page: HTMLElement;
let root: Root;
let errors: unknown[];

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  localStorage.setItem('hw.member', '019a0000-0000-7000-8000-00000000000a');
  page = document.body.appendChild(document.createElement('div'));
  errors = [];
  root = createMemberRoot(page, { onUncaughtError: (error) => errors.push(error) });
  return async () => {
    await act(async () => root.unmount());
    page.remove();
    queryClient.clear();
    vi.unstubAllGlobals();
    expect(errors).toEqual([]);
  };
});

/** Renders without an error boundary: an error while rendering leaves an empty page. */
const render = (element: ReactNode) =>
  act(async () => {
    const router = createMemoryRouter([{ path: '/', element, errorElement: <p>broken</p> }]);
    root.render(
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    );
  });
const waitForText = (text: string) =>
  vi.waitFor(async () => {
    // Not around the check: React loses the updates of an act whose callback throws.
    await act(async () => undefined);
    expect(page.textContent).toContain(text);
  });

it('an activity of an unknown kind is shown with its text', async () => {
  const items = [
    { id: 'a', kind: 'badge_earned', at: '2026-11-20T12:00:00Z', text: 'You earned a badge.', user: null },
  ];
  await setMeta(openDb(ME), 'activity', { items: items as unknown as ActivityItem[], next: null });
  await render(<ActivityList />);
  await waitForText('You earned a badge.');
  expect(page.querySelector('svg')).not.toBeNull();
});

it('a shared date with an unknown status shows everything else', async () => {
  const date = {
    at: '2026-12-01T18:00:00Z',
    expiresAt: '2026-12-02T18:00:00Z',
    updatedAt: '2026-11-20T12:00:00Z',
    firstName: 'Ana',
    place: 'The old harbour',
    status: 'postponed',
    timeZone: 'UTC',
    with: 'Ben',
  };
  vi.stubGlobal('fetch', async () => Response.json(date));
  await render(<SharedDateScreen />);
  await waitForText('Ana is meeting Ben');
});

it('a planned date with an unknown status is neither waiting nor answered', async () => {
  const date = {
    id: 'date',
    place: 'The old harbour',
    note: '',
    at: '2026-10-01T18:00:00Z',
    timeZone: 'UTC',
    status: 'postponed',
    revision: 1,
    user: { id: 'ben', firstName: 'Ben' },
    proposedBy: 'ben',
    feedback: null,
    sharedUntil: null,
  } as unknown as PlannedDate;
  await render(<DateCard date={date} />);
  await waitForText('Changed');
});

it('an attachment of an unknown kind is replaced by a text', async () => {
  const row = { attachments: [{ kind: 'hologram' }], state: 'sent' } as unknown as MessageRow;
  await render(
    <MessageAttachments
      onReport={() => undefined}
      picturesShown={true}
      author="Ben"
      mine={false}
      row={row}
    />,
  );
  await waitForText('This needs a newer version of Heartward');
});
