import 'fake-indexeddb/auto';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import type { HeartwardDb } from '@/offline/db.ts';
import { enqueue } from '@/offline/outbox.ts';
import { CONVERSATION, freshDb, PEER } from '@/offline/testkit.ts';
import { findUnsent } from '@/offline/unsent.ts';
import { Toaster } from '@/ui';
import { useRefusals } from './refusals.ts';

let db: HeartwardDb;

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
  const page = document.createElement('div');
  const root = createRoot(page);
  const client = new QueryClient();
  const asked = vi.spyOn(client, 'invalidateQueries');
  root.render(
    <QueryClientProvider client={client}>
      <Listening />
    </QueryClientProvider>,
  );
  await vi.waitFor(() => expect(page.textContent).toContain('Your profile is not shown.'));
  expect((await db.outbox.toArray()).map((row) => row.clientId)).toEqual([text]);
  expect(await findUnsent()).toMatchObject({ messages: 1, likes: 0 });
  // Who was liked back waits for an answer again, and is on the deck.
  await vi.waitFor(() =>
    expect(asked.mock.calls.map(([filter]) => filter?.queryKey?.[1])).toEqual(['feed', 'likes', 'passes']),
  );
  root.unmount();
});
