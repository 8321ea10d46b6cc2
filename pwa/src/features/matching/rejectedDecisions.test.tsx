import 'fake-indexeddb/auto';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import { enqueue } from '@/offline/outbox/outbox.ts';
import { findUnsent } from '@/offline/outbox/unsent.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { CONVERSATION, createMemberRoot, freshDb, PEER } from '@/offline/testkit.ts';
import { Toaster } from '@/ui';
import { useRejectedDecisions } from './rejectedDecisions.ts';

let db: HeartwardDb;
let page: HTMLElement;

function Listener() {
  useRejectedDecisions();
  return <Toaster />;
}

beforeEach(async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  db = await freshDb();
  return () => vi.unstubAllGlobals();
});

/** Marks a row as the worker does when the server rejects it. */
const reject = async (id: string, status: number, reason: string) => {
  await db.outbox.update(id, { state: 'failed', status, reason });
};

/** Mounts the hook; returns a function that unmounts it. */
function open(client: QueryClient) {
  page = document.createElement('div');
  const root = createMemberRoot(page);
  root.render(
    <QueryClientProvider client={client}>
      <Listener />
    </QueryClientProvider>,
  );
  return () => root.unmount();
}

it('reports a like that was rejected while the app was closed, once, and ignores messages', async () => {
  const like = await enqueue(db, { kind: 'like', toUserId: PEER, likeType: 'like' });
  const text = await enqueue(db, {
    kind: 'message',
    conversationId: CONVERSATION,
    recipientId: PEER,
    content: 'hi',
  });
  await reject(like, 403, 'Your profile is not shown.');
  await reject(text, 404, 'Gone.');
  const client = new QueryClient();
  const requests = vi.spyOn(client, 'invalidateQueries');
  const close = open(client);
  await vi.waitFor(() => expect(page.textContent).toContain('Your profile is not shown.'));
  expect((await db.outbox.toArray()).map((row) => row.clientId)).toEqual([text]);
  expect(await findUnsent(db)).toMatchObject({ messages: 1, likes: 0 });
  // The received like and the card in the deck are refreshed.
  await vi.waitFor(() =>
    expect(requests.mock.calls.map(([filter]) => filter?.queryKey?.[1])).toEqual(['feed', 'likes', 'passes']),
  );
  close();
});

it.each([
  ['like', 'Failed to send like. Please try again.'],
  ['pass', 'Failed to pass. Please try again.'],
] as const)("shows the app's own text for a rejected %s", async (kind, text) => {
  const body =
    kind === 'like'
      ? ({ kind, toUserId: PEER, likeType: 'like' } as const)
      : ({ kind, targetUserId: PEER } as const);
  await reject(await enqueue(db, body), 404, 'user not found');
  const close = open(new QueryClient());
  await vi.waitFor(() => expect(page.querySelector('[role=alert]')?.textContent).toBe(`Error${text}`));
  await vi.waitFor(async () => expect(await db.outbox.count()).toBe(0));
  close();
});
