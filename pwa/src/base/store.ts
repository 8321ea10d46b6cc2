import { useSyncExternalStore } from 'react';

/** Creates an event without data, for values outside React that are stored elsewhere. */
export function createEmitter() {
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  };
  return {
    emit(): void {
      for (const listener of listeners) {
        try {
          listener();
        } catch (error) {
          // The other listeners are called too, and the caller has not failed.
          console.warn('A listener failed', error);
        }
      }
    },
    subscribe,
    /** Returns the result of `read`; the component renders again when an event has changed it. */
    useValue: <T>(read: () => T): T => useSyncExternalStore(subscribe, read),
  };
}

/** Creates a value that code outside React can read and set, with a hook for components. */
export function createStore<T>(initial: T) {
  let value = initial;
  const { emit, subscribe, useValue } = createEmitter();
  const get = () => value;
  return {
    get,
    set(next: T): void {
      if (Object.is(next, value)) return;
      value = next;
      emit();
    },
    subscribe,
    /** Returns the value; the component renders again when it changes. */
    useValue: (): T => useValue(get),
  };
}
