import { useSyncExternalStore } from 'react';

/** Creates a value that code outside React can read and set, with a hook for components. */
export function createStore<T>(initial: T) {
  let value = initial;
  const listeners = new Set<() => void>();
  const get = () => value;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get,
    set(next: T): void {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    /** Returns the value; the component renders again when it changes. */
    useValue: (): T => useSyncExternalStore(subscribe, get),
  };
}
