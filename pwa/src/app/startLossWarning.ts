import { part } from '@/base/pageSession.ts';
import { dbOf } from '@/offline/store/db.ts';

/**
 * Starts the warning of a device that keeps nothing, once for the session. It lasts as long as the session, because the screen
 * of an error, which offers to reload the page, replaces the components that started it.
 */
export const startLossWarning = part((session) => {
  void import('@/offline/outbox/lossWarning.ts')
    .then(({ warnBeforeLoss }) => session.onStop(warnBeforeLoss(dbOf(session))))
    .catch(() => undefined);
});
