import { type ComponentType, type LazyExoticComponent, lazy, useEffect, useState } from 'react';

const RETRY_MS = 2000;

type Preloading = {
  /** Loads the part before it is drawn. Calls share one request. */
  preload: () => Promise<unknown>;
  isLoaded: () => boolean;
};

/**
 * Like React's `lazy`, for parts that load beside a screen. A chunk that could not be loaded, as without a network, is
 * requested again every two seconds; `lazy` would throw its first failure, which ends the whole app. A part that was
 * preloaded is drawn at once; `lazy` would first draw the fallback, which React keeps for at least 300 ms.
 */
// biome-ignore lint/suspicious/noExplicitAny: the constraint of React's lazy
export function lazyWithRetry<Part extends ComponentType<any>>(
  load: () => Promise<{ default: Part }>,
): LazyExoticComponent<Part> & Preloading {
  type Module = { default: Part };
  let loaded: Module | undefined;
  let loading: Promise<Module> | undefined;

  async function loadUntilLoaded(): Promise<Module> {
    for (;;) {
      try {
        loaded = await load();
        return loaded;
      } catch (error) {
        console.warn('A part of the app could not be loaded; trying again', error);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }
  function preload() {
    loading ??= loadUntilLoaded();
    return loading;
  }

  const part = lazy(() => (loaded ? resolvedNow(loaded) : preload()));
  return Object.assign(part, { preload, isLoaded: () => loaded !== undefined });
}

/** Returns a promise that calls back at once and not in a later task; with it React's `lazy` does not suspend. */
const resolvedNow = <Value>(value: Value) =>
  // biome-ignore lint/suspicious/noThenProperty: React needs only this method of a promise
  ({ then: (resolve: (value: Value) => void) => resolve(value) }) as unknown as Promise<Value>;

/** Whether the part is loaded; loads it. For a screen that is drawn instead of another one, without `Suspense`. */
export function useLoaded({ preload, isLoaded }: Preloading): boolean {
  const [loaded, setLoaded] = useState(isLoaded);
  useEffect(() => {
    if (!loaded) void preload().then(() => setLoaded(true));
  }, [preload, loaded]);
  return loaded;
}
