import 'fake-indexeddb/auto';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { liveQuery } from 'dexie';
import { flushSync } from 'react-dom';
import type { Root } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, it, vi } from 'vitest';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { ConversationRow } from '@/offline/store/rows.ts';
import { createMemberRoot, freshDb, summary } from '@/offline/testkit.ts';
import { ConversationList } from './ConversationList.tsx';

/** The number of renders of each member's row, counted by its avatar. */
const renders = vi.hoisted(() => new Map<string, number>());
vi.mock('@/ui', async (original) => ({
  ...(await original<typeof import('@/ui')>()),
  Avatar: ({ user }: { user: { firstName: string } }) => {
    renders.set(user.firstName, (renders.get(user.firstName) ?? 0) + 1);
    return null;
  },
}));

let db: HeartwardDb;
let page: HTMLElement;
let root: Root;

const conversationWith = (firstName: string): ConversationRow => {
  const plain = summary({ id: `c-${firstName}` });
  const user = { ...plain.user, id: `u-${firstName}`, firstName };
  return { ...plain, user, userId: user.id, sortAt: '2026-11-20T10:00:00.000Z' };
};

beforeEach(async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined)); // no network: only stored conversations
  db = await freshDb();
  await db.conversations.bulkPut([
    conversationWith('Hannah'),
    conversationWith('Annika'),
    conversationWith('Ben'),
  ]);
  page = document.body.appendChild(document.createElement('div'));
  root = createMemberRoot(page);
  return () => {
    root.unmount();
    page.remove();
    vi.unstubAllGlobals();
  };
});

const client = new QueryClient();
const show = (hidden = false) =>
  flushSync(() =>
    root.render(
      <QueryClientProvider client={client}>
        <MemoryRouter>
          <ConversationList hidden={hidden} selected="c-Ben" />
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  );
const waitForText = (text: string) => vi.waitFor(() => expect(page.textContent).toContain(text));
const storeDraft = (content: string) =>
  db.drafts.put({ conversationId: 'c-Ben', content, updatedAt: Date.now() });

/** Resolves when earlier live queries have emitted the draft too. */
async function waitForQueries(content: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const query = liveQuery(() => db.drafts.toArray());
    const subscription = query.subscribe((drafts) => {
      if (drafts[0]?.content !== content) return;
      setTimeout(() => subscription.unsubscribe());
      resolve();
    });
  });
}

it('renders only the row whose draft was stored, once per draft', async () => {
  show();
  await waitForText('Hannah');
  renders.clear();
  const reads = vi.spyOn(db.conversations, 'toArray');
  for (let length = 1; length <= 30; length += 1) {
    await storeDraft('x'.repeat(length));
    await waitForText(`Draft: ${'x'.repeat(length)}`);
  }
  expect([...renders.keys()]).toEqual(['Ben']);
  expect(renders.get('Ben')).toBeLessThanOrEqual(30);
  expect(reads, 'and the conversations are not read again').not.toHaveBeenCalled();
});

it('renders and reads nothing while hidden, and shows the changes afterwards', async () => {
  show();
  await waitForText('Hannah');
  show(true);
  renders.clear();
  const reads = vi.spyOn(db.conversations, 'toArray');
  await storeDraft('begun');
  await db.conversations.update('c-Hannah', { unreadCount: 2 });
  await waitForQueries('begun');
  // When a second change has arrived, every query after the first has run.
  await storeDraft('begun and gone on');
  await waitForQueries('begun and gone on');
  expect([renders.size, reads.mock.calls.length]).toEqual([0, 0]);
  show(false);
  await waitForText('Draft: begun and gone on');
  await waitForText('2 unread messages');
});
