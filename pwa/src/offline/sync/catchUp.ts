import { sessionRefused } from '@/base/events.ts';
import { ApiError } from '../../api/request.ts';
import { backoff } from '../outbox/drain.ts';
import type { HeartwardDb } from '../store/db.ts';
import { sync } from './sync.ts';

let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Starts a sync in the background. A failed one is retried with the outbox's backoff, until one succeeds or
 * `stopCatchingUp` is called. If the session has ended, `sessionRefused` is emitted instead.
 */
export function catchUp(db: HeartwardDb): void {
  clearTimeout(timer);
  sync(db).then(
    () => {
      failures = 0;
    },
    (error: unknown) => {
      if (error instanceof ApiError && (error.status === 401 || error.code === 'account_restricted')) {
        sessionRefused.emit();
        return;
      }
      failures += 1;
      clearTimeout(timer);
      timer = setTimeout(catchUp, backoff(failures, Math.random), db);
    },
  );
}

export function stopCatchingUp(): void {
  clearTimeout(timer);
  failures = 0;
}
