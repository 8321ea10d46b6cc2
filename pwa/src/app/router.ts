/**
 * The app's router: React Router's matching, history, hooks and RouterProvider with a smaller `createBrowserRouter`. The
 * library's own also loads data, submits forms, revalidates and hydrates, which is half of its code, and the app uses
 * none of it. A navigation shows the old screen, under the old address, until the chunks of the new one are loaded.
 */
import { createElement } from 'react';
import {
  createPath,
  type DataRouteMatch,
  type DataRouteObject,
  type DataRouter,
  IDLE_NAVIGATION,
  type Location,
  matchRoutes,
  type NavigateOptions,
  NavigationType,
  type RouteObject,
  type RouterState,
  resolvePath,
  type To,
  UNSAFE_createBrowserHistory,
} from 'react-router';
import { appliedTransitions } from './appliedTransitions.ts';

type Subscriber = Parameters<DataRouter['subscribe']>[0];
type Options = Pick<NavigateOptions, 'viewTransition' | 'flushSync'>;

/** What React Router uses of a router without loaders, actions, fetchers and blockers. */
type Used = Pick<
  DataRouter,
  | 'basename'
  | 'window'
  | 'routes'
  | 'manifest'
  | 'state'
  | 'match'
  | 'subscribe'
  | 'navigate'
  | 'createHref'
  | 'createURL'
  | 'encodeLocation'
>;

class Router implements Used {
  readonly basename = '/';
  readonly window = window;
  readonly manifest: DataRouter['manifest'] = {};
  readonly routes: DataRouteObject[];
  state: RouterState;
  readonly createHref: DataRouter['createHref'];
  readonly createURL: NonNullable<DataRouter['createURL']>;
  readonly encodeLocation: DataRouter['encodeLocation'];

  readonly #history: ReturnType<typeof UNSAFE_createBrowserHistory>;
  readonly #transitions = appliedTransitions();
  readonly #subscribers = new Set<Subscriber>();
  /** The number of the newest navigation; an older one that is still loading ends without an effect. */
  #newest = 0;

  constructor(routes: RouteObject[], history = UNSAFE_createBrowserHistory()) {
    this.#history = history;
    this.createHref = history.createHref;
    this.createURL = history.createURL;
    this.encodeLocation = history.encodeLocation;
    this.routes = this.#withIds(routes);
    const { action: historyAction, location } = history;
    const matches = this.match(location);
    const initialized = !matches.some(({ route }) => route.lazy);
    this.state = {
      historyAction,
      location,
      matches,
      initialized,
      renderFallback: !initialized,
      navigation: IDLE_NAVIGATION,
      restoreScrollPosition: null,
      preventScrollReset: false,
      revalidation: 'idle',
      loaderData: {},
      actionData: null,
      errors: null,
      fetchers: new Map(),
      blockers: new Map(),
    };
    history.listen(({ action, location: next }) => void this.#start(action, next));
    if (!initialized) void this.#start(historyAction, location);
  }

  match = (location: Partial<Location> | string): DataRouteMatch[] =>
    matchRoutes(this.routes, location) ?? [];

  subscribe = (subscriber: Subscriber) => {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  };

  /** Resolves when the new screen is shown, or another navigation has replaced this one. */
  navigate = async (to: To | number | null, options: NavigateOptions = {}): Promise<void> => {
    if (typeof to === 'number') return this.#history.go(to);
    const { location: current } = this.state;
    const target = to ?? '';
    const path = this.encodeLocation(resolvePath(target, current.pathname));
    for (const address of [typeof target === 'string' ? target : createPath(target), createPath(path)])
      if (new URL(address, window.location.origin).origin !== window.location.origin)
        throw new Error('The router opens pages of the app only');
    const location: Location = { ...path, state: options.state, key: createKey(), mask: undefined };
    await this.#start(options.replace ? NavigationType.Replace : NavigationType.Push, location, options);
  };

  async #start(action: NavigationType, location: Location, options: Options = {}): Promise<void> {
    const run = ++this.#newest;
    const matches = this.match(location);
    const unloaded = matches.filter(({ route }) => route.lazy);
    if (unloaded.length === 0) return this.#complete(action, location, matches, null, options);
    if (this.state.initialized) {
      const navigation = { ...IDLE_NAVIGATION, state: 'loading', location, matches, historyAction: action };
      this.#update({ navigation: navigation as RouterState['navigation'] }, options);
    }
    const errors = await Promise.all(unloaded.map(({ route }) => loadScreen(route))).then(
      () => null,
      // The root has the app's only error element.
      (error: unknown) => ({ [matches[0]?.route.id ?? '']: error }),
    );
    if (run !== this.#newest) return;
    this.#complete(action, location, matches, errors, { viewTransition: options.viewTransition });
  }

  #complete(
    historyAction: NavigationType,
    location: Location,
    matches: DataRouteMatch[],
    errors: RouterState['errors'],
    { viewTransition, flushSync }: Options,
  ): void {
    if (historyAction === NavigationType.Push) this.#history.push(location, location.state);
    if (historyAction === NavigationType.Replace) this.#history.replace(location, location.state);
    const from = this.state.location;
    const viewTransitionOpts =
      historyAction === NavigationType.Pop
        ? this.#transitions.ofPop(from, location)
        : viewTransition && this.#transitions.add(from, location);
    this.#update(
      {
        historyAction,
        location,
        matches,
        errors,
        initialized: true,
        renderFallback: false,
        navigation: IDLE_NAVIGATION,
      },
      { flushSync },
      viewTransitionOpts || undefined,
    );
  }

  #update(
    change: Partial<RouterState>,
    { flushSync = false }: Options,
    viewTransitionOpts?: { currentLocation: Location; nextLocation: Location },
  ): void {
    this.state = { ...this.state, ...change };
    for (const subscriber of [...this.#subscribers])
      subscriber(this.state, {
        deletedFetchers: [],
        newErrors: change.errors ?? null,
        viewTransitionOpts,
        flushSync,
      });
  }

  /** Returns the routes with the ids by which React Router finds them, and enters them in the manifest. */
  #withIds(routes: RouteObject[], parent = ''): DataRouteObject[] {
    return routes.map((route, index) => {
      const id = `${parent}${index}`;
      const children = route.children && this.#withIds(route.children, `${id}-`);
      const withId = { ...route, id, children } as DataRouteObject;
      setElement(withId, route.Component);
      this.manifest[id] = withId;
      return withId;
    });
  }
}

/** Sets one element for all renders: React skips a screen whose element is the same. */
function setElement(route: DataRouteObject, Component: RouteObject['Component']): void {
  if (Component) Object.assign(route, { element: createElement(Component), Component: undefined });
}

/** Loads a route's chunk. One that could not be loaded is requested again by the next navigation to it. */
async function loadScreen(route: DataRouteObject): Promise<void> {
  if (typeof route.lazy !== 'function') return;
  const { Component } = (await route.lazy()) as { Component: RouteObject['Component'] };
  setElement(route, Component);
  route.lazy = undefined;
}

const createKey = () => Math.random().toString(36).slice(2, 10);

/** Creates the router of these routes, whose last one is for every other address, and opens the current address. */
export const createAppRouter = (
  routes: RouteObject[],
  history?: ReturnType<typeof UNSAFE_createBrowserHistory>,
) => new Router(routes, history) as Used as DataRouter;
