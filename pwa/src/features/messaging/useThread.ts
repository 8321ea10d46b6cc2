import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { getDb } from '@/offline/db.ts';
import { fetchBackTo, fetchOlder } from '@/offline/older.ts';
import type { ConversationRow } from '@/offline/rows.ts';
import { PART, type Shown, ThreadWindow } from './threadWindow.ts';

/** How many messages are read before the first is drawn: some screens of a phone. */
const FIRST = 60;
/** As many above a message that is gone to: nothing may come in above while it is brought into sight. */
const ABOVE = 40;

type Load = 'idle' | 'loading' | 'failed';

/**
 * The messages of a conversation up to the newest, and ways to older ones: first those on the device, then the
 * server's. `wanted` is a message that is to be among the first.
 */
export function useThread(conversation: ConversationRow, wanted: number) {
  const { id } = conversation;
  const [view] = useState(() => new ThreadWindow(getDb(), id, getDb().memberId));
  const shown: Shown = useSyncExternalStore(view.subscribe, view.getShown);
  const [state, setState] = useState<Load>('idle');
  const busy = useRef(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: where it begins is decided once, when it is opened
  useEffect(() => {
    const newest = conversation.lastSeq;
    view.start(Math.min(newest - FIRST, wanted - ABOVE));
    return () => view.stop();
  }, [view]);

  const { from } = shown;
  const older = useCallback(async () => {
    if (busy.current) return;
    busy.current = true;
    try {
      const db = getDb();
      const firstSeq = (await db.threads.get(id))?.firstSeq ?? 0;
      // What is shown may begin before what the device holds: then there is more to fetch first.
      if (from > firstSeq) view.reach(from - PART);
      else if (firstSeq > 1) {
        setState('loading');
        await fetchOlder(db, id);
        view.reach((await db.threads.get(id))?.firstSeq ?? 0);
      }
      setState('idle');
    } catch {
      setState('failed');
    } finally {
      busy.current = false;
    }
  }, [id, from, view]);

  /** Shows the message with this number; false when it cannot be had. */
  const reach = useCallback(
    async (seq: number): Promise<boolean> => {
      const db = getDb();
      const firstSeq = (await db.threads.get(id))?.firstSeq ?? 0;
      if (seq < firstSeq) setState('loading');
      try {
        const found = await fetchBackTo(db, id, seq);
        if (found) view.reach(seq - ABOVE);
        setState('idle');
        return found;
      } catch {
        setState('failed');
        return false;
      }
    },
    [id, view],
  );
  return { ...shown, state, older, reach };
}
