import 'fake-indexeddb/auto';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useCached } from '@/offline/store/cached.ts';
import { createMemberRoot, freshDb } from '@/offline/testkit.ts';
import { ErrorState } from '@/ui';

/** The pending response of each request. */
let requests: PromiseWithResolvers<void>[];
let client: QueryClient;
let page: HTMLElement;
let end: () => void;

function List() {
  const list = useCached({
    key: ['list'],
    read: (db) => db.meta.toArray(),
    refresh() {
      const request = Promise.withResolvers<void>();
      requests.push(request);
      return request.promise;
    },
  });
  return list.state === 'error' ? (
    <ErrorState onRetry={list.refresh} text="" title="Failed" />
  ) : (
    <p>{list.state}</p>
  );
}

const waitForRequest = (count: number) =>
  vi.waitFor(() => {
    expect(requests).toHaveLength(count);
    return requests[count - 1] as PromiseWithResolvers<void>;
  });
const button = () => page.querySelector('button');
const shownButton = () =>
  vi.waitFor(() => {
    expect(button()?.getAttribute('aria-disabled')).toBeNull();
    return button() as HTMLButtonElement;
  });

beforeEach(async () => {
  requests = [];
  await freshDb();
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  page = document.body.appendChild(document.createElement('div'));
  const root = createMemberRoot(page);
  root.render(
    <QueryClientProvider client={client}>
      <List />
    </QueryClientProvider>,
  );
  end = () => {
    root.unmount();
    page.remove();
  };
  (await waitForRequest(1)).reject(new Error('no network'));
  await shownButton();
});

afterEach(() => end());

it('keeps the same button element during an automatic retry and after it failed', async () => {
  const before = button();
  void client.refetchQueries();
  const retryRequest = await waitForRequest(2);
  // React renders the fetching state before the request is answered.
  await vi.waitFor(() => expect(client.isFetching()).toBe(1));
  await new Promise((resolve) => setTimeout(resolve));
  expect(button()).toBe(before);
  retryRequest.reject(new Error('still none'));
  await vi.waitFor(() => expect(client.isFetching()).toBe(0));
  await new Promise((resolve) => setTimeout(resolve));
  expect(button()).toBe(before);
});

it('shows a busy button during a retry, and then the list', async () => {
  (await shownButton()).click();
  const retryRequest = await waitForRequest(2);
  await vi.waitFor(() => expect(button()?.getAttribute('aria-busy')).toBe('true'));
  retryRequest.resolve();
  await vi.waitFor(() => expect(page.textContent).toBe('empty'));
});
