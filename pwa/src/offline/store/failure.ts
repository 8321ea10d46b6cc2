/**
 * Whether the member's database can be opened. Without it no screen can show anything, so the app then shows why
 * (app/StorageScreen.tsx). This module does not import Dexie, because the first paint reads it.
 */
import { useSyncExternalStore } from 'react';

/** 'refused': the browser has rejected the request to open the database. 'pending': it does not answer. */
export type StorageFailure = 'refused' | 'pending';

/** Opening a database takes less than a second on a slow phone. */
const ANSWER_WITHIN_MS = 10_000;

let failure: StorageFailure | null = null;
const listeners = new Set<() => void>();

function setFailure(next: StorageFailure | null): void {
  failure = next;
  for (const listener of listeners) listener();
}

export const refuseStorage = (): void => setFailure('refused');

/** Follows an attempt to open the database. `isExpected` says which errors are not the browser's failure. */
export async function watchOpening(
  opening: PromiseLike<unknown>,
  isExpected: (error: unknown) => boolean,
): Promise<void> {
  const timer = setTimeout(() => setFailure('pending'), ANSWER_WITHIN_MS);
  try {
    await opening;
    setFailure(null);
  } catch (error) {
    if (!isExpected(error)) setFailure('refused');
  } finally {
    clearTimeout(timer);
  }
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** Returns why the database cannot be opened; null while it can. */
export const useStorageFailure = (): StorageFailure | null => useSyncExternalStore(subscribe, () => failure);
