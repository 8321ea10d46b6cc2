import type { Me } from '@/api/types.ts';
import { useLive } from '@/offline/store/cached.ts';
import { START_ROW, type StartAnswers } from '@/offline/store/rows.ts';
import { useMember } from '@/session/session.ts';

const NO_ANSWERS: StartAnswers['answers'] = {};

/**
 * Returns the own profile with those answers of the guided first run that the server does not have yet; undefined until
 * the device is read.
 */
export function useStartedMe(): Me | undefined {
  const me = useMember();
  const answers = useLive(
    async (db) => {
      if (me.welcomed) return NO_ANSWERS;
      const row = await db.outbox.get(START_ROW);
      return row?.body.kind === 'start' ? row.body.answers : NO_ANSWERS;
    },
    [me.welcomed],
  );
  return answers && { ...me, ...(answers as Partial<Me>) };
}
