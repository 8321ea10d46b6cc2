import type { ApiError } from '@/api/request.ts';
import { DAY_MS, formatDate, formatTime } from '@/base/format.ts';
import { storageKeys } from '@/base/storage.ts';

import { removePendingForms } from './pendingForm.ts';

/** Returns until when this device cannot sign up because of the age, in ms; undefined if it can. */
export function readAgeWait(): number | undefined {
  const until = Number(localStorage.getItem(storageKeys.ageWait));
  return until > Date.now() ? until : undefined;
}

/** Stores the time of the server's refusal, removes the form from the device, and returns the time in ms. */
export function storeAgeWait({ retryAfterMs }: ApiError): number {
  const until = Date.now() + (retryAfterMs ?? DAY_MS);
  localStorage.setItem(storageKeys.ageWait, String(until));
  removePendingForms();
  return until;
}

/** Says that the visitor cannot sign up now, and when they can. It needs no connection. */
export function AgeWait({ until }: { until: number }) {
  const at = new Date(until).toISOString();
  return (
    <div className="card p-5" role="status">
      <h2 className="font-display font-semibold text-lg">Not right now</h2>
      <p className="mt-2">Heartward is for people of 18 and over, so we can't open an account for you now.</p>
      <p className="mt-2 text-muted">
        If you mistyped your age, please come back after {formatDate(at)}, {formatTime(at)}. If you are
        younger, we look forward to meeting you once you are 18.
      </p>
    </div>
  );
}
