import { sessionRefused } from '@/base/events.ts';
import { part } from '@/base/pageSession.ts';
import { ApiError } from '../../api/request.ts';
import { backoff } from '../outbox/drain.ts';
import type { HeartwardDb } from '../store/db.ts';
import { sync } from './sync.ts';

const retryOf = part((session) => {
  const retry = { failures: 0, timer: undefined as ReturnType<typeof setTimeout> | undefined };
  session.onStop(() => clearTimeout(retry.timer));
  return retry;
});

/**
 * Starts a sync in the background. A failed one is retried with the outbox's backoff, until one succeeds or
 * `stopCatchingUp` is called. If the session has ended, `sessionRefused` is emitted instead.
 */
export function catchUp(db: HeartwardDb): void {
  const retry = retryOf(db);
  clearTimeout(retry.timer);
  sync(db).then(
    () => {
      retry.failures = 0;
    },
    (error: unknown) => {
      if (error instanceof ApiError && (error.status === 401 || error.code === 'account_restricted')) {
        sessionRefused.emit();
        return;
      }
      if (db.session.isStopped) return;
      retry.failures += 1;
      clearTimeout(retry.timer);
      retry.timer = setTimeout(catchUp, backoff(retry.failures, Math.random), db);
    },
  );
}

export function stopCatchingUp(db: HeartwardDb): void {
  const retry = retryOf(db);
  clearTimeout(retry.timer);
  retry.failures = 0;
}
