import 'fake-indexeddb/auto';
import { QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { MemoryRouter } from 'react-router';
import { expect, it, vi } from 'vitest';
import type { MemberCard } from '@/api/types.ts';
import { profileOfCard } from '@/domain/profile/profileOfCard.ts';
import { createMemberRoot, freshDb, json, PEER, summary } from '@/offline/testkit.ts';
import { queryClient } from '@/session/query.ts';
import { NewRequest } from './NewRequest.tsx';

vi.mock('@/member-menu/MemberMenu.tsx', () => ({ MemberMenu: () => null }));
vi.mock('./slots.ts', () => ({
  useMessageFilter: () => ({ confirmSend: async () => true, textChanged: () => undefined }),
}));

const prompts = [{ question: 'Together we could', answer: 'Bake bread', voice: null }];
const member = {
  ...profileOfCard(summary().user as unknown as MemberCard),
  city: 'Salem',
  state: 'OR',
  occupation: '',
  bio: '',
  age: 31,
  pronouns: [],
  photos: [],
  prompts,
};

it('a request is repeated with its id until the server has rejected it', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  await freshDb();
  const ids: string[] = [];
  const responses = [
    json(503, {}),
    json(429, {}),
    json(422, { kind: 'invalid', detail: 'Please write something else.' }),
    json(503, {}),
  ];
  vi.stubGlobal('fetch', async (input: Request) => {
    if (input.method === 'GET') return json(200, member);
    ids.push((await input.json()).clientId);
    return responses[ids.length - 1];
  });
  const page = document.body.appendChild(document.createElement('div'));
  const root = createMemberRoot(page);
  await act(async () =>
    root.render(
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <NewRequest
            error={null}
            notFound="not found"
            onRetry={() => undefined}
            skeleton="loading"
            userId={PEER}
          />
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  );
  const find = async <T extends Element>(selector: string) =>
    vi.waitFor(async () => {
      await act(async () => undefined);
      const found = page.querySelector<T>(selector);
      if (!found) throw new Error(`no ${selector}: ${page.textContent}`);
      return found;
    });
  const field = await find<HTMLTextAreaElement>('textarea');
  expect(page.textContent, 'the writer reads the answers').toContain('Together we couldBake bread');
  const opener = await find<HTMLButtonElement>('[aria-labelledby=openers] button');
  await act(async () => opener.click());
  expect(field.value, 'a tap on an opener fills the field').toContain('“Bake bread.”');
  expect(page.querySelector('[aria-labelledby=openers]'), 'which ends the suggestions').toBeNull();
  await act(async () => {
    const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set;
    set?.call(field, 'Hello');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  for (const sent of responses.keys()) {
    const form = await find('form');
    await act(async () => form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })));
    await vi.waitFor(() => expect(ids).toHaveLength(sent + 1));
    await find('button[type=submit]:not([disabled]):not([aria-busy=true])');
    await find('[role=alert]');
  }
  expect(ids.map((id) => ids.indexOf(id))).toEqual([0, 0, 0, 3]);
  await act(async () => root.unmount());
});
