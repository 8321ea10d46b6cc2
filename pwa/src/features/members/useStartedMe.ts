import type { Me } from '@/api/types.ts';
import { useLive } from '@/offline/store/cached.ts';
import { START_ROW, type StartAnswers } from '@/offline/store/rows.ts';
import { startSteps } from '@/session/paths.ts';
import { useMember } from '@/session/session.ts';

const NO_ANSWERS: StartAnswers['answers'] = {};

/**
 * Returns the own profile with those answers of the guided first run that the server does not have yet; undefined until
 * the device is read.
 */
export function useStartedMe(): Me | undefined {
  const me = useMember();
  const answers = useLive(async (db) => {
    const row = await db.outbox.get(START_ROW);
    return row?.body.kind === 'start' ? row.body.answers : NO_ANSWERS;
  });
  return answers && withAnswers(me, answers);
}

/** Another device, or an earlier answer of this one, may have come further than the answers: the later question counts. */
export function withAnswers(me: Me, { startStep, ...answers }: StartAnswers['answers']): Me {
  const isLater =
    me.startStep && startStep && startSteps.indexOf(startStep) > startSteps.indexOf(me.startStep);
  return { ...me, ...(answers as Partial<Me>), startStep: isLater ? startStep : me.startStep };
}
