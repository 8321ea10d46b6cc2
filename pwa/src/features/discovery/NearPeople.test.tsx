import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMemberRoot } from '@/offline/testkit.ts';
import { NearPeople } from './NearPeople.tsx';

const near = {
  town: 'Portland, Oregon',
  band: 'about_50',
  text: 'About 50 people are on Heartward within 50 miles.',
  waiting: false,
  byMail: false,
};

let requests: { method: string; path: string; body: { byMail: boolean } | undefined }[];
let respond: (method: string) => Response;
let page: HTMLElement;
let end: () => void;

beforeEach(() => {
  requests = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const text = await request.clone().text();
    const { method } = request;
    requests.push({ method, path: new URL(request.url).pathname, body: text ? JSON.parse(text) : undefined });
    return respond(method);
  });
  page = document.body.appendChild(document.createElement('div'));
});

afterEach(() => {
  end();
  vi.unstubAllGlobals();
});

function draw(): void {
  const root = createMemberRoot(page);
  root.render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MemoryRouter>
        <NearPeople />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  end = () => {
    root.unmount();
    page.remove();
  };
}

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': status < 400 ? 'application/json' : 'application/problem+json' },
  });

const wish = () => requests.at(-1)?.body ?? { byMail: false };
const switches = () => [...page.querySelectorAll<HTMLInputElement>('[role="switch"]')];

test('a member reads the band, asks to be told, by mail too, and takes it back', async () => {
  let stored = near;
  respond = (method) => {
    if (method === 'DELETE') return new Response(null, { status: 204 });
    if (method === 'PUT') stored = { ...near, waiting: true, byMail: wish().byMail };
    return json(200, stored);
  };
  draw();
  await vi.waitFor(() => expect(page.textContent).toContain(near.text));
  switches()[0]?.click();
  await vi.waitFor(() => expect(switches()).toHaveLength(2));
  switches()[1]?.click();
  await vi.waitFor(() => expect(switches()[1]?.checked).toBe(true));
  switches()[0]?.click();
  await vi.waitFor(() => expect(switches()).toHaveLength(1));
  expect(requests.slice(1)).toEqual([
    { method: 'PUT', path: '/api/discovery/near/wait', body: { byMail: false } },
    { method: 'PUT', path: '/api/discovery/near/wait', body: { byMail: true } },
    { method: 'DELETE', path: '/api/discovery/near/wait', body: undefined },
  ]);
});

test('a member without a town is asked for it', async () => {
  respond = () =>
    json(422, { kind: 'invalid', detail: 'Please choose your town in your profile first.', status: 422 });
  draw();
  await vi.waitFor(() => expect(page.querySelector('a')?.getAttribute('href')).toBe('/profile'));
  expect(switches()).toHaveLength(0);
});
