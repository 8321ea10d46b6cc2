import { useSyncExternalStore } from 'react';

/**
 * Whether the browser believes it is online: a hint for words on the screen
 * only. What is sent, and when, is decided by how requests end.
 */
export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine);
}

function subscribe(changed: () => void): () => void {
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}
