import 'fake-indexeddb/auto';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import { createMemberRoot, ME, openDb } from '../testkit.ts';
import { useCached } from './cached.ts';
import { getMeta, type StoredActivity, setMeta } from './meta.ts';

beforeEach(async () => {
  localStorage.setItem('hw.member', '019a0000-0000-7000-8000-00000000000a');
  await Promise.all(openDb(ME).tables.map((table) => table.clear()));
});

type ScreenProps = {
  read: () => Promise<StoredActivity | null>;
  refresh: () => Promise<void>;
  onDrawn: (state: string, refreshing: boolean) => void;
};

function ActivityScreen({ read, refresh, onDrawn }: ScreenProps) {
  const isEmpty = (activity: StoredActivity | null) => !activity?.items.length;
  const { state, refreshing } = useCached({ key: ['activity'], read, refresh, isEmpty });
  onDrawn(state, refreshing);
  return null;
}

/**
 * Shows the activity on a device that reads slowly: rows are read again only after the screen was drawn with the answer.
 * Returns the states of the screen in their order, up to 'ready' or to 'empty' with rows that were read again.
 */
async function showActivity(items: StoredActivity['items']): Promise<string[]> {
  const states: string[] = [];
  const answerDrawn = Promise.withResolvers<void>();
  let reads = 0;
  let wasRefreshing = false;
  const root = createMemberRoot(document.createElement('div'));
  root.render(
    <QueryClientProvider client={new QueryClient()}>
      <ActivityScreen
        onDrawn={(state, refreshing) => {
          if (refreshing) wasRefreshing = true;
          else if (wasRefreshing) setTimeout(answerDrawn.resolve);
          if (states.at(-1) !== state) states.push(state);
        }}
        read={async () => {
          const activity = await getMeta(openDb(ME), 'activity');
          reads += 1;
          if (reads > 1) await answerDrawn.promise;
          return activity ?? null;
        }}
        refresh={async () => {
          await vi.waitFor(() => expect(reads).toBe(1));
          await setMeta(openDb(ME), 'activity', { items, next: null });
        }}
      />
    </QueryClientProvider>,
  );
  await answerDrawn.promise;
  await vi.waitFor(() => {
    expect(reads).toBeGreaterThan(1);
    expect(states.at(-1)).toMatch(/ready|empty/);
  });
  root.unmount();
  return states;
}

const item: StoredActivity['items'][number] = {
  id: 'photo-1',
  kind: 'photo_added',
  path: '/profile',
  at: '2026-11-20T12:00:00Z',
  text: 'You added a photo.',
  user: null,
};

test('an answer with rows is not called empty before its rows are read', async () => {
  expect(await showActivity([item])).toEqual(['loading', 'ready']);
});

test('an answer without rows is called empty once the rows are read again', async () => {
  expect(await showActivity([])).toEqual(['loading', 'empty']);
});
