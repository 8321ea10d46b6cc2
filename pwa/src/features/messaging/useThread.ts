import { useCallback, useEffect, useRef, useState } from 'react';
import { useDb } from '@/offline/store/cached.ts';
import type { HeartwardDb } from '@/offline/store/db.ts';
import type { ConversationRow } from '@/offline/store/rows.ts';
import { withTimeout } from '@/offline/store/withTimeout.ts';
import { fetchBackTo, fetchOlder, fetchUnread } from '@/offline/sync/olderMessages.ts';
import { cachedNewest, initialFrom, ROWS_ABOVE } from './threadCache.ts';
import { PART_SIZE, type ShownRows, ThreadWindow } from './threadWindow.ts';

/** How long opening waits for the unread messages; then the stored ones are shown, and older ones appear above. */
const UNREAD_WAIT_MS = 4000;

type Load = 'idle' | 'loading' | 'failed';

/**
 * The messages of a conversation up to the newest, and functions that load older ones: first those on the device, then
 * the server's. The first rows include the message `targetSeq` and the one after `unreadAfter`, which is fetched before
 * any row is shown.
 */
export function useThread(conversation: ConversationRow, unreadAfter: number | null, targetSeq = Infinity) {
  const db = useDb();
  const { id } = conversation;
  const threadWindow = useThreadWindow(conversation, unreadAfter, targetSeq);
  const shown: ShownRows = threadWindow.shown.useValue();
  const [state, setState] = useState<Load>('idle');
  const busy = useRef(false);

  const { from } = shown;
  const loadOlder = useCallback(async () => {
    if (busy.current) return;
    busy.current = true;
    try {
      const firstSeq = (await db.threads.get(id))?.firstSeq ?? 0;
      // The window may start before the first stored message; then older ones are fetched first.
      if (from > firstSeq) threadWindow.extendTo(from - PART_SIZE);
      else if (firstSeq > 1) {
        setState('loading');
        await fetchOlder(db, id);
        threadWindow.extendTo((await db.threads.get(id))?.firstSeq ?? 0);
      }
      setState('idle');
    } catch {
      setState('failed');
    } finally {
      busy.current = false;
    }
  }, [id, from, threadWindow, db]);

  /** Extends the thread to the message with this seq; false if it cannot be loaded. */
  const loadBackTo = useCallback(
    async (seq: number): Promise<boolean> => {
      const firstSeq = (await db.threads.get(id))?.firstSeq ?? 0;
      if (seq < firstSeq) setState('loading');
      try {
        const found = await fetchBackTo(db, id, seq);
        if (found) threadWindow.extendTo(seq - ROWS_ABOVE);
        setState('idle');
        return found;
      } catch {
        setState('failed');
        return false;
      }
    },
    [id, threadWindow, db],
  );

  /** Loads more of the unread messages before the first one shown. */
  const loadEarlierUnread = useCallback(async () => {
    setState('loading');
    try {
      await fetchUnread(db, id, (unreadAfter ?? 0) + 1);
      threadWindow.extendTo((await db.threads.get(id))?.firstSeq ?? 0);
      setState('idle');
    } catch {
      setState('failed');
    }
  }, [id, unreadAfter, threadWindow, db]);
  return { ...shown, state, loadOlder, loadBackTo, loadEarlierUnread };
}

/** The window of the thread's rows, filled from the device as soon as it has the first unread message. */
function useThreadWindow(conversation: ConversationRow, unreadAfter: number | null, targetSeq: number) {
  const db = useDb();
  const { id } = conversation;
  const first = initialFrom(conversation, Math.min(unreadAfter ?? Infinity, targetSeq));
  const [threadWindow] = useState(
    () => new ThreadWindow(db, id, db.memberId, cachedNewest(db, conversation, first)),
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: the first row is determined once, when the thread opens
  useEffect(() => {
    let stopped = false;
    const start = () => stopped || threadWindow.start(first);
    if (unreadAfter === null || contains(threadWindow.shown.get(), unreadAfter + 1)) start();
    else void waitForUnread(db, id, unreadAfter + 1).then(start);
    return () => {
      stopped = true;
      threadWindow.stop();
    };
  }, [threadWindow]);
  return threadWindow;
}

/** Whether a message is among the cached rows, which may start after the first unread message. */
const contains = ({ rows }: ShownRows, seq: number): boolean => rows?.some((row) => row.seq === seq) ?? false;

/** Waits until the first unread message is on the device, for at most UNREAD_WAIT_MS. */
async function waitForUnread(db: HeartwardDb, id: string, first: number): Promise<void> {
  await withTimeout(fetchUnread(db, id, first), UNREAD_WAIT_MS);
}
