import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { getDb } from '@/offline/store/db.ts';
import type { ConversationRow } from '@/offline/store/rows.ts';
import { withTimeout } from '@/offline/store/withTimeout.ts';
import { fetchBackTo, fetchOlder, fetchUnread } from '@/offline/sync/older.ts';
import { ABOVE, firstShown, heldNewest } from './held.ts';
import { PART, type Shown, ThreadWindow } from './threadWindow.ts';

/** So long the unread messages are waited for; then what is held is shown, and they come in above. */
const PATIENCE_MS = 4000;

type Load = 'idle' | 'loading' | 'failed';

/**
 * The messages of a conversation up to the newest, and ways to older ones: first those on the device, then the
 * server's. `place` is a message that is to be among the first; so is the one after `unreadAfter`, which is
 * fetched before anything is shown.
 */
export function useThread(conversation: ConversationRow, unreadAfter: number | null, place = Infinity) {
  const { id } = conversation;
  const first = firstShown(conversation, Math.min(unreadAfter ?? Infinity, place));
  const [view] = useState(
    () => new ThreadWindow(getDb(), id, getDb().memberId, heldNewest(conversation, first)),
  );
  const shown: Shown = useSyncExternalStore(view.subscribe, view.getShown);
  const [state, setState] = useState<Load>('idle');
  const busy = useRef(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: where it begins is decided once, when it is opened
  useEffect(() => {
    let left = false;
    const start = () => left || view.start(first);
    if (unreadAfter === null || holds(view.getShown(), unreadAfter + 1)) start();
    else void untilUnread(id, unreadAfter + 1).then(start);
    return () => {
      left = true;
      view.stop();
    };
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

  /** Fetches more of the unread messages that are missing before the first one shown. */
  const earlier = useCallback(async () => {
    setState('loading');
    try {
      const db = getDb();
      await fetchUnread(db, id, (unreadAfter ?? 0) + 1);
      view.reach((await db.threads.get(id))?.firstSeq ?? 0);
      setState('idle');
    } catch {
      setState('failed');
    }
  }, [id, unreadAfter, view]);
  return { ...shown, state, older, reach, earlier };
}

/** What is kept in memory may begin after the first unread message: then the rest is fetched first. */
const holds = ({ rows }: Shown, seq: number): boolean => rows?.some((row) => row.seq === seq) ?? false;

/** Until the device has the first unread message, or one has waited long enough. */
async function untilUnread(id: string, first: number): Promise<void> {
  await withTimeout(fetchUnread(getDb(), id, first), PATIENCE_MS);
}
