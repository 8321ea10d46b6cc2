import { useSyncExternalStore } from 'react';

/**
 * Returns whether the browser reports a connection. It is a hint for texts on the screen only; the outbox decides by
 * the results of requests when to send.
 */
export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine);
}

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}
