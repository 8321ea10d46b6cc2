import 'fake-indexeddb/auto';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { enqueue } from '@/offline/outbox/outbox.ts';
import { findUnsent } from '@/offline/outbox/unsent.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { CONVERSATION, freshDb, PEER } from '@/offline/testkit.ts';
import { Toaster } from '@/ui';
import { useRefusals } from './refusals.ts';

let db: HeartwardDb;
let page: HTMLElement;

function Listening() {
  useRefusals();
  return <Toaster />;
}

beforeEach(async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  db = await freshDb();
  return () => vi.unstubAllGlobals();
});

/** What the worker leaves of a row that the server refused. */
const refuse = async (id: string, status: number, reason: string) => {
  await db.outbox.update(id, { state: 'failed', status, reason });
};

/** Shows the app, in which the refused rows are found; returns what ends it. */
function open(client: QueryClient) {
  page = document.createElement('div');
  const root = createRoot(page);
  root.render(
    <QueryClientProvider client={client}>
      <Listening />
    </QueryClientProvider>,
  );
  return () => root.unmount();
}

it('tells a like that was refused while the app was closed, once, and leaves messages alone', async () => {
  const like = await enqueue({ kind: 'like', toUserId: PEER, likeType: 'like' });
  const text = await enqueue({
    kind: 'message',
    conversationId: CONVERSATION,
    recipientId: PEER,
    content: 'hi',
  });
  await refuse(like, 403, 'Your profile is not shown.');
  await refuse(text, 404, 'Gone.');
  const client = new QueryClient();
  const asked = vi.spyOn(client, 'invalidateQueries');
  const close = open(client);
  await vi.waitFor(() => expect(page.textContent).toContain('Your profile is not shown.'));
  expect((await db.outbox.toArray()).map((row) => row.clientId)).toEqual([text]);
  expect(await findUnsent()).toMatchObject({ messages: 1, likes: 0 });
  // Who was liked back waits for an answer again, and is on the deck.
  await vi.waitFor(() =>
    expect(asked.mock.calls.map(([filter]) => filter?.queryKey?.[1])).toEqual(['feed', 'likes', 'passes']),
  );
  close();
});

it.each([
  ['like', 'Failed to send like. Please try again.'],
  ['pass', 'Failed to pass. Please try again.'],
] as const)('shows a refused %s in the words of the app', async (kind, words) => {
  const body =
    kind === 'like'
      ? ({ kind, toUserId: PEER, likeType: 'like' } as const)
      : ({ kind, targetUserId: PEER } as const);
  await refuse(await enqueue(body), 404, 'user not found');
  const close = open(new QueryClient());
  await vi.waitFor(() => expect(page.querySelector('[role=alert]')?.textContent).toBe(`Error${words}`));
  await vi.waitFor(async () => expect(await db.outbox.count()).toBe(0));
  close();
});
