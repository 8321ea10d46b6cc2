/**
 * Whether the member's database can be opened. Without it no screen can show anything, so the app then shows why
 * (app/StorageScreen.tsx). This module does not import Dexie, because the first paint reads it.
 */
import { createStore } from '@/base/store.ts';

/** 'refused': the browser has rejected the request to open the database. 'pending': it does not answer. */
export type StorageFailure = 'refused' | 'pending';

/** Opening a database takes less than a second on a slow phone. */
const ANSWER_WITHIN_MS = 10_000;

const failure = createStore<StorageFailure | null>(null);

export const refuseStorage = (): void => failure.set('refused');

/** Follows an attempt to open the database. `isExpected` says which errors are not the browser's failure. */
export async function watchOpening(
  opening: PromiseLike<unknown>,
  isExpected: (error: unknown) => boolean,
): Promise<void> {
  const timer = setTimeout(() => failure.set('pending'), ANSWER_WITHIN_MS);
  try {
    await opening;
    failure.set(null);
  } catch (error) {
    if (!isExpected(error)) failure.set('refused');
  } finally {
    clearTimeout(timer);
  }
}

/** Returns why the database cannot be opened; null while it can. */
export const useStorageFailure = failure.useValue;
