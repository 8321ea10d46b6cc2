import {
  type ComponentType,
  type LazyExoticComponent,
  lazy,
  startTransition,
  useEffect,
  useState,
} from 'react';
import { scheduleRetry } from './retry.ts';

/** Limits the interval between two requests of a part to 16 seconds while the device seems to be online. */
const MAX_DOUBLINGS = 3;
/** The interval while it does not seem so, which may be wrong. */
const OFFLINE_RETRY_MS = 60_000;

type Later<Module> = {
  /** Loads the module before it is used. Calls share one request. */
  preload: () => Promise<Module>;
  /** Returns the module once it is loaded. */
  loaded: () => Module | undefined;
};

/**
 * Returns a module that is loaded when it is first needed. If it could not be loaded, as without a network, it is requested
 * again once the device is online, or after 2, 4, 8 and then every 16 seconds while the device seems to be online, else every
 * minute.
 */
export function loadWithRetry<Module>(load: () => Promise<Module>): Later<Module> {
  let loaded: Module | undefined;
  let loading: Promise<Module> | undefined;

  async function loadUntilLoaded(): Promise<Module> {
    for (let tries = 0; ; tries += 1) {
      try {
        loaded = await load();
        return loaded;
      } catch (error) {
        console.warn('A part of the app could not be loaded; it is requested again later', error);
        await nextTry(Math.min(tries, MAX_DOUBLINGS));
      }
    }
  }
  function preload() {
    loading ??= loadUntilLoaded();
    return loading;
  }
  return { preload, loaded: () => loaded };
}

const nextTry = (tries: number): Promise<void> =>
  new Promise((resolve) => {
    const next = () => {
      cancel();
      clearTimeout(timer);
      resolve();
    };
    const cancel = scheduleRetry(tries, next);
    const timer = setTimeout(next, OFFLINE_RETRY_MS);
  });

/**
 * Like React's `lazy`, for parts that load beside a screen. A chunk that could not be loaded is requested again
 * (loadWithRetry); `lazy` would throw its first failure, which ends the whole app. A part that was preloaded is drawn at
 * once; `lazy` would first draw the fallback, which React keeps for at least 300 ms.
 */
// biome-ignore lint/suspicious/noExplicitAny: the constraint of React's lazy
export function lazyWithRetry<Part extends ComponentType<any>>(
  load: () => Promise<{ default: Part }>,
): LazyExoticComponent<Part> & Later<{ default: Part }> {
  const module = loadWithRetry(load);
  const part = lazy(() => {
    const loaded = module.loaded();
    return loaded ? resolvedNow(loaded) : module.preload();
  });
  return Object.assign(part, module);
}

/** Returns a promise that calls back at once and not in a later task; with it React's `lazy` does not suspend. */
const resolvedNow = <Value>(value: Value) =>
  // biome-ignore lint/suspicious/noThenProperty: React needs only this method of a promise
  ({ then: (resolve: (value: Value) => void) => resolve(value) }) as unknown as Promise<Value>;

/**
 * Whether the part is loaded; loads it. For a screen that is drawn instead of another one, without `Suspense`. What may come
 * later than the screen is loaded when the promise of `after` resolves, and then drawn without blocking it; `after` is not
 * called while `wanted` is false.
 */
export function useLoaded(
  { preload, loaded }: Later<unknown>,
  after?: () => Promise<unknown>,
  wanted = true,
): boolean {
  const [isLoaded, setLoaded] = useState(() => loaded() !== undefined);
  useEffect(() => {
    if (isLoaded || !wanted) return;
    const draw = () => setLoaded(true);
    if (!after) void preload().then(draw);
    else
      void after()
        .then(preload)
        .then(() => startTransition(draw));
  }, [preload, after, wanted, isLoaded]);
  return isLoaded;
}
