/**
 * Forms that wait for a mailed code. A phone often unloads the page while the member reads the mail in another app, so
 * they are stored on the device, for an hour at most.
 */
import { storageKeys } from '@/base/storage.ts';

const MAX_AGE_MS = 60 * 60_000;
/** How long a code is valid. */
const CODE_VALID_MS = 10 * 60_000;

type Key = typeof storageKeys.signUp | typeof storageKeys.signIn;
type Stored<Values> = { values: Values; storedAt: number; codeSentAt?: number };

/** A form as it was when the page was left; `codeSentAt`, in ms, is absent once the code has expired. */
type PendingForm<Values> = { values: Values; codeSentAt?: number };

/** Stores a form, with the time at which its code was sent in ms. */
export function storePendingForm<Values>(
  key: Key,
  values: Values,
  codeSentAt?: number,
  now = Date.now(),
): void {
  const stored: Stored<Values> = { values, storedAt: now, codeSentAt };
  try {
    localStorage.setItem(key, JSON.stringify(stored));
  } catch {
    // Without storage the form works as long as the page stays.
  }
}

/** Returns a stored form, or null; an old one is removed. */
export function readPendingForm<Values>(key: Key, now = Date.now()): PendingForm<Values> | null {
  const stored = JSON.parse(localStorage.getItem(key) ?? 'null') as Stored<Values> | null;
  if (!stored) return null;
  const age = now - stored.storedAt;
  if (age < 0 || age > MAX_AGE_MS) {
    localStorage.removeItem(key);
    return null;
  }
  const { values, codeSentAt } = stored;
  return codeSentAt !== undefined && now - codeSentAt < CODE_VALID_MS ? { values, codeSentAt } : { values };
}

/** Removes the forms after the member has signed in. */
export function removePendingForms(): void {
  localStorage.removeItem(storageKeys.signUp);
  localStorage.removeItem(storageKeys.signIn);
}
