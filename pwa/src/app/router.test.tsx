import { act, type ComponentType } from 'react';
import { createRoot } from 'react-dom/client';
import {
  Link,
  type NavigateOptions,
  Outlet,
  type RouteObject,
  UNSAFE_createMemoryHistory,
  useNavigate,
  useNavigation,
  useParams,
  useRouteError,
} from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { beforeEach, expect, it, vi } from 'vitest';
import { createAppRouter } from './router.ts';

/** A chunk that the test lets arrive or fail. */
function chunk(Component: ComponentType) {
  const loads: PromiseWithResolvers<void>[] = [];
  return {
    loads,
    lazy: async () => {
      const load = Promise.withResolvers<void>();
      loads.push(load);
      await load.promise;
      return { Component };
    },
  };
}

let page: HTMLElement;
let slow: ReturnType<typeof chunk>;
let other: ReturnType<typeof chunk>;
let history: ReturnType<typeof UNSAFE_createMemoryHistory>;
let router: ReturnType<typeof createAppRouter>;
let close: () => Promise<void>;
let go: ReturnType<typeof useNavigate>;

const Layout = () => {
  go = useNavigate();
  return (
    <>
      <nav>{useNavigation().state}</nav>
      <Link to="/member/2?tab=photos">Member</Link>
      <main>
        <Outlet />
      </main>
    </>
  );
};
const Broken = () => <main>broken: {String(useRouteError())}</main>;
const Slow = () => 'slow';
const Other = () => 'other';
const Member = () => <p>member {useParams().id}</p>;

/** Opens the last one of these addresses; the others are before it in the history. */
async function open(...initialEntries: string[]) {
  const routes: RouteObject[] = [
    {
      Component: Layout,
      errorElement: <Broken />,
      hydrateFallbackElement: <main>loading</main>,
      children: [
        { index: true, element: <p>home</p> },
        { path: '/slow', lazy: slow.lazy },
        { path: '/other', lazy: other.lazy },
        { path: '/member/:id', Component: Member },
        { path: '*', element: <p>not found</p> },
      ],
    },
  ];
  history = UNSAFE_createMemoryHistory({ initialEntries });
  router = createAppRouter(routes, history as never);
  const root = createRoot(page);
  close = () => act(async () => root.unmount());
  await act(async () => root.render(<RouterProvider router={router} />));
}

const shown = () => page.querySelector('main')?.textContent;
const navigationState = () => page.querySelector('nav')?.textContent;
const visit = (to: string, options?: NavigateOptions) => act(async () => void router.navigate(to, options));
const step = (delta: number) => act(async () => void router.navigate(delta));
const arrive = ({ loads }: typeof slow) => act(async () => loads.at(-1)?.resolve());

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.spyOn(console, 'warn').mockReturnValue(); // the test environment has no view transitions
  sessionStorage.clear();
  slow = chunk(Slow);
  other = chunk(Other);
  page = document.body.appendChild(document.createElement('div'));
  return async () => {
    await close();
    page.remove();
    vi.unstubAllGlobals();
  };
});

it('shows the fallback until the chunk of the first screen is loaded', async () => {
  await open('/slow');
  expect(shown()).toBe('loading');
  await arrive(slow);
  expect(shown()).toBe('slow');
});

it('keeps the old screen and address until the chunk of the new screen is loaded', async () => {
  await open('/');
  await visit('/slow');
  expect([shown(), navigationState(), history.location.pathname]).toEqual(['home', 'loading', '/']);
  await arrive(slow);
  expect([shown(), navigationState(), history.location.pathname]).toEqual(['slow', 'idle', '/slow']);
  await visit('/');
  await visit('/slow');
  expect(shown()).toBe('slow');
  expect(slow.loads).toHaveLength(1);
});

it('ends an older navigation that is still loading without an effect', async () => {
  await open('/');
  await visit('/slow');
  await visit('/other');
  await arrive(slow);
  expect(shown()).toBe('home');
  await arrive(other);
  expect([shown(), history.index]).toEqual(['other', 1]);
});

it('shows the error element for a chunk that fails, and requests it again next time', async () => {
  await open('/');
  await visit('/slow');
  await act(async () => slow.loads[0]?.reject(new Error('no network')));
  expect(shown()).toBe('broken: Error: no network');
  expect(history.location.pathname).toBe('/slow');
  await visit('/');
  expect(shown()).toBe('home');
  await visit('/slow');
  await arrive(slow);
  expect(shown()).toBe('slow');
});

it('opens links, replaces entries and goes back', async () => {
  await open('/');
  await act(async () => page.querySelector('a')?.click());
  expect([shown(), router.state.location.search]).toEqual(['member 2', '?tab=photos']);
  await act(async () => void go('?tab=about', { replace: true, state: 'kept' }));
  expect(history.location).toMatchObject({ pathname: '/member/2', search: '?tab=about', state: 'kept' });
  expect(history.index).toBe(1);
  await act(async () => void go(-1));
  expect([shown(), router.state.historyAction]).toEqual(['home', 'POP']);
});

it('draws a screen that is loaded at once, if the caller asks for it', async () => {
  await open('/');
  act(() => {
    void router.navigate('/member/3', { flushSync: true });
    expect(shown()).toBe('member 3');
  });
});

it('animates back and forward between two pages if the link was animated, also after a reload', async () => {
  await open('/');
  const transitions: unknown[] = [];
  router.subscribe((_, { viewTransitionOpts: transition }) => {
    transitions.push(transition && [transition.currentLocation.pathname, transition.nextLocation.pathname]);
  });
  await visit('/member/1', { viewTransition: true });
  await step(-1);
  await step(1);
  expect(transitions).toEqual([
    ['/', '/member/1'],
    ['/', '/member/1'],
    ['/', '/member/1'],
  ]);
  await visit('/member/2');
  await step(-1);
  expect(transitions.slice(3)).toEqual([undefined, undefined]);

  dispatchEvent(new Event('pagehide'));
  await close();
  await open('/', '/member/1');
  const animated = vi.fn();
  router.subscribe((_, { viewTransitionOpts }) => animated(viewTransitionOpts !== undefined));
  await step(-1);
  expect(animated).toHaveBeenLastCalledWith(true);
});

it.each(['https://example.com/', '//example.com/', '/\\example.com/', 'javascript:alert(1)'])(
  'does not open %s',
  async (address) => {
    await open('/');
    await expect(router.navigate(address)).rejects.toThrow();
    expect(history.index).toBe(0);
  },
);
