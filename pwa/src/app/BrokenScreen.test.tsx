import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider, UNSAFE_createMemoryHistory } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { storageKeys } from '@/base/storage.ts';
import { BrokenScreen } from './BrokenScreen.tsx';
import { createAppRouter } from './router.ts';

let page: HTMLElement;
let reports: { path: string; body: Record<string, unknown> }[];
let respond: () => Promise<Response>;
let close: () => Promise<void>;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.spyOn(console, 'error').mockReturnValue();
  reports = [];
  respond = async () => new Response(null, { status: 204 });
  vi.stubGlobal('fetch', async (request: Request) => {
    reports.push({ path: new URL(request.url).pathname, body: await request.clone().json() });
    return respond();
  });
  page = document.body.appendChild(document.createElement('div'));
});

afterEach(async () => {
  await close();
  page.remove();
  vi.unstubAllGlobals();
});

let thrown: unknown;
function Broken(): never {
  throw thrown;
}

/** Shows a screen that throws the error while rendering. */
async function show(error: unknown): Promise<void> {
  thrown = error;
  const router = createMemoryRouter(
    [{ errorElement: <BrokenScreen />, children: [{ path: '/profile/:id', Component: Broken }] }],
    { initialEntries: ['/profile/7f3c?as=match'] },
  );
  const root = createRoot(page);
  close = () => act(async () => root.unmount());
  await act(async () => root.render(<RouterProvider router={router} />));
  await vi.waitFor(() => expect(reports).toHaveLength(1));
}

const shownId = () => page.querySelector('strong')?.textContent ?? '';

it('reports the error under the id that it shows, without a text or an address of a member', async () => {
  const error = new RangeError('Ana wrote: hello');
  error.stack = [
    'RangeError: Ana wrote: hello',
    '    at draw (https://example.com/assets/member-a1B2_c.js:1:2045)',
    'render@https://example.com/assets/start-d3E4.js?v=1:7:19',
    '    at <anonymous>',
  ].join('\n');
  await show(error);
  expect(shownId()).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
  expect(reports[0]).toEqual({
    path: '/api/client-errors',
    body: {
      id: shownId(),
      name: 'RangeError',
      route: '/profile/:id',
      frames: ['member-a1B2_c.js:1:2045', 'start-d3E4.js:7:19'],
    },
  });
  expect(document.title).toBe('This page could not be shown · Heartward');
  const links = [...page.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links).toEqual([
    ['Go home', '/'],
    ['write to us', '/safety#contact'],
  ]);
});

it('reports something else that was thrown as an error without a stack', async () => {
  const error = new Error('x');
  error.name = 'Ana is 34';
  error.stack = undefined;
  await show(error);
  expect(reports[0]?.body).toMatchObject({ name: 'Error', frames: [] });
  await close();
  reports = [];
  await show('Ana');
  expect(reports[0]?.body).toMatchObject({ name: 'Error' });
  expect(JSON.stringify(reports)).not.toContain('Ana');
});

it('shows the button to reload also when the report cannot be sent', async () => {
  respond = () => Promise.reject(new TypeError('no network'));
  const reload = vi.spyOn(location, 'reload').mockReturnValue();
  await show(new Error('x'));
  const button = [...page.querySelectorAll('button')].find(({ textContent }) => textContent === 'Reload');
  await act(async () => button?.click());
  expect(reload).toHaveBeenCalledOnce();
  expect(shownId()).not.toBe('');
});

it('calls messages safe only on a device that keeps them', async () => {
  await show(new Error('x'));
  expect(page.textContent).toContain('Your messages are safe.');
  await close();
  reports = [];
  localStorage.setItem(storageKeys.keepsNothing, '1');
  await show(new Error('x'));
  localStorage.clear();
  expect(page.textContent).not.toContain('safe.');
});

const Together = () => 'together';

describe('offline, a screen that is not on the device', () => {
  const missing = new TypeError(
    'Failed to fetch dynamically imported module: /assets/TogetherScreen-a1B2.js',
  );
  const isOnline = vi.fn<() => boolean>();
  const load = vi.fn<() => Promise<{ Component: () => string }>>();
  const reload = vi.fn();

  beforeEach(async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockImplementation(isOnline.mockReturnValue(false));
    vi.spyOn(location, 'reload').mockImplementation(reload.mockReset());
    load.mockReset().mockRejectedValue(missing);
    const routes = [
      {
        errorElement: <BrokenScreen />,
        hydrateFallbackElement: <p>loading</p>,
        children: [
          { path: '/', element: <p>home</p> },
          { path: '/together', lazy: load },
        ],
      },
    ];
    const history = UNSAFE_createMemoryHistory({ initialEntries: ['/together?from=home'] });
    const root = createRoot(page);
    close = () => act(async () => root.unmount());
    await act(async () => root.render(<RouterProvider router={createAppRouter(routes, history as never)} />));
  });
  afterEach(() => localStorage.clear());

  const press = (label: string) =>
    act(async () =>
      [...page.querySelectorAll<HTMLElement>('a, button')]
        .find(({ textContent }) => textContent === label)
        ?.click(),
    );
  const connect = () =>
    act(async () => {
      isOnline.mockReturnValue(true);
      dispatchEvent(new Event('online'));
    });

  it('says so, and is no error', () => {
    expect(page.textContent).toContain("This page isn't on this device.");
    expect(reports).toEqual([]);
  });

  it('is loaded again with the connection, and by the button', async () => {
    await press('Try again');
    await connect();
    expect(reload).toHaveBeenCalledTimes(2);
  });

  it('opens without a reload on a device that keeps nothing, whose unsent messages are in memory', async () => {
    localStorage.setItem(storageKeys.keepsNothing, '1');
    await press('Try again');
    expect(load).toHaveBeenCalledTimes(2);
    expect(page.textContent).toContain("This page isn't on this device.");
    load.mockResolvedValue({ Component: Together });
    await connect();
    expect(page.textContent).toBe('together');
    expect(reload).not.toHaveBeenCalled();
  });

  it('leads home without a new document', async () => {
    await press('Go home');
    expect(page.textContent).toBe('home');
  });
});
