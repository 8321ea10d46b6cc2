import type { Me } from '@/api/types.ts';
import { useLive } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import { START_ROW, type StartAnswers } from '@/offline/store/rows.ts';
import { startSteps } from '@/session/paths.ts';
import { useMember } from '@/session/session.ts';

/**
 * Returns the own profile with those answers of the guided first run that the server does not have yet; undefined until
 * the device is read.
 */
export function useStartedMe(): Me | undefined {
  const me = useMember();
  const answers = useLive(readAnswers);
  return answers && withAnswers(me, answers);
}

/**
 * Returns the unsent answers, or how far the device's profile is. A sent row is deleted in the transaction that stores the
 * profile of the response, which a screen may show a moment later: until then an answered question must not be asked again.
 */
export async function readAnswers(db: HeartwardDb): Promise<StartAnswers['answers']> {
  const row = await db.outbox.get(START_ROW);
  if (row?.body.kind === 'start') return row.body.answers;
  const stored = await db.me.toCollection().first();
  return {
    ...(stored?.startStep && { startStep: stored.startStep }),
    ...(stored?.welcomed && { welcomed: true }),
  };
}

/** Another device, or an earlier answer of this one, may have come further than the answers: the later question counts. */
export function withAnswers(me: Me, { startStep, ...answers }: StartAnswers['answers']): Me {
  const isLater =
    me.startStep && startStep && startSteps.indexOf(startStep) > startSteps.indexOf(me.startStep);
  return { ...me, ...(answers as Partial<Me>), startStep: isLater ? startStep : me.startStep };
}
