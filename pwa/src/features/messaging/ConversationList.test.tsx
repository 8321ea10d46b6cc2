import 'fake-indexeddb/auto';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, it, vi } from 'vitest';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { ConversationRow } from '@/offline/store/rows.ts';
import { createMemberRoot, freshDb, message, summary } from '@/offline/testkit.ts';
import { ConversationList } from './ConversationList.tsx';

let db: HeartwardDb;
let page: HTMLElement;

const conversationWith = (firstName: string, change: Partial<ConversationRow> = {}): ConversationRow => {
  const plain = summary({ id: `c-${firstName}` });
  const user = { ...plain.user, id: `u-${firstName}`, firstName };
  return { ...plain, user, userId: user.id, sortAt: '2026-11-20T10:00:00.000Z', ...change };
};

/** A received picture, which the member has not chosen to see. */
const picture = {
  ...message(1, { messageType: 'image', content: 'the sea' }),
  attachmentCount: 1,
  durationMs: null,
  deleted: false,
  flagged: false,
  isRead: false,
} as ConversationRow['lastMessage'];

beforeEach(async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined)); // no network: only stored conversations
  db = await freshDb();
  await db.conversations.bulkPut([
    conversationWith('Hannah', { pinnedAt: '2026-11-20T10:00:00.000Z' }),
    conversationWith('Annika', { lastMessage: picture, lastSeq: 1 }),
    conversationWith('Ben'),
    conversationWith('Joanna', { request: 'received' }),
  ]);
  page = document.body.appendChild(document.createElement('div'));
  const root = createMemberRoot(page);
  root.render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <ConversationList selected={null} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  await expectNames('Annika', 'Ben', 'Hannah');
  return () => {
    root.unmount();
    page.remove();
    vi.unstubAllGlobals();
  };
});

const field = () => page.querySelector<HTMLInputElement>('[aria-label="Search by name or message"]');
const expectNames = (...names: string[]) =>
  vi.waitFor(() => {
    const links = [...page.querySelectorAll('li a')];
    expect(links.map((link) => link.querySelector('.truncate')?.textContent).sort()).toEqual(names);
  });

function search(text: string) {
  const input = field();
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  set?.call(input, text);
  input?.dispatchEvent(new Event('input', { bubbles: true }));
}

it('finds members, also those of requests, by a part of the first name in any case', async () => {
  search(' aNN ');
  await expectNames('Annika', 'Hannah', 'Joanna');
  search('ben');
  await expectNames('Ben');
});

it('finds members by a name with other accents', async () => {
  search('änni');
  await expectNames('Annika');
});

it('says that nothing was found, and shows all again when the search is cleared', async () => {
  search('x');
  await expectNames();
  expect(page.textContent).toContain('No name or message matches “x”');
  page.querySelector<HTMLElement>('[aria-label="Clear search"]')?.click();
  await expectNames('Annika', 'Ben', 'Hannah');
});

it('shows a received picture as words', () => {
  const row = [...page.querySelectorAll('li')].find(({ textContent }) => textContent?.includes('Annika'));
  expect(row?.textContent).toContain('Picture: the sea');
  expect(page.querySelectorAll('img, video')).toHaveLength(0);
  expect(page.innerHTML).not.toContain('url(');
});

it('a conversation is not muted any more once its time is over', async () => {
  const mutedUntil = new Date(Date.now() + 600_000).toISOString();
  await db.conversations.update('c-Ben', { mutedUntil });
  await vi.waitFor(() => expect(page.innerHTML).toContain('Muted'));
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(mutedUntil) + 60_000 });
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.waitFor(() => expect(page.innerHTML).not.toContain('Muted'));
  vi.useRealTimers();
});
