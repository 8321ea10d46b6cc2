/**
 * Answers of the guided first run. Each is a row of the outbox at once, so that neither a lost connection nor a closed
 * tab loses it, and is on the server as soon as that can be reached.
 */

import type { Me } from '@/api/types.ts';
import { enqueue, type Settled } from '@/offline/outbox/outbox.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { StartAnswers } from '@/offline/store/rows.ts';
import { queryClient } from '@/session/query.ts';
import { refreshMe, setMe } from '@/session/session.ts';
import { toastError } from '@/ui';

type Answers = StartAnswers['answers'];

/** Stores answers and sends them. Resolves once they are stored. */
export async function saveAnswers(db: HeartwardDb, answers: Answers): Promise<void> {
  if (Object.keys(answers).length === 0) return;
  await enqueue(db, { kind: 'start', answers });
}

/** Shows answers that the outbox has sent, or that the server has refused. */
export function handleSavedStart(result: Settled): void {
  const { body } = result.row;
  if (body.kind !== 'start') return;
  if (!result.ok) {
    void refreshMe();
    toastError(result.reason, 'Your answer was not saved');
    return;
  }
  // The genders are also a filter: the filter editor must not save the earlier ones.
  if (body.answers.interestedIn) void queryClient.invalidateQueries({ queryKey: ['refresh', 'filters'] });
  void setMe(result.response as Me);
}
